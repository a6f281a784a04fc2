import type { FieldDefinition } from '../custom-fields/values.ts';
import { showId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { Known } from './blocks/block.ts';

/** The most tags that are known. Callers can make fewer; those that published flows make stand beyond that bound. */
const knownTags = 2_000;

/** What an account has that definitions refer to. */
export type AccountHas = Omit<Known, 'refuseUrl'>;

/**
 * What the account has that a definition may refer to: its fields, tags, credentials, and flows that are not archived. `flowId` is a UUID, null
 * for a flow that is not stored yet.
 */
export const readKnown = async (
  sql: Sql,
  { accountId, flowId }: { accountId: string; flowId: string | null },
): Promise<AccountHas> => {
  // One after the other, because a read has one connection.
  const fields = await sql<FieldDefinition[]>`
    select key, name, type, options, default_value as default from custom_fields where account_id = ${accountId} order by key`;
  const tags = await sql<{ name: string }[]>`
    select lower(name) as name from tags where account_id = ${accountId} order by id desc limit ${knownTags}`;
  const flows = await sql<{ id: string; name: string; isLive: boolean; starts: string[] }[]>`
    select f.id, f.name, f.status = 'live' as is_live, array(select substr(used, 6) from unnest(v.uses) as used where starts_with(used, 'flow:')) as starts
    from flows f left join flow_versions v on v.flow_id = f.id and v.version = f.version
    where f.account_id = ${accountId} and f.status <> 'archived'`;
  const credentials = await sql<{ name: string; type: 'bearer' | 'basic' | 'header' | 'query' }[]>`
    select name, type from credentials where account_id = ${accountId} order by name`;
  const asId = (uuid: string) => showId('flow', uuid);
  return {
    flowId: flowId === null ? null : asId(flowId),
    fields: new Map(fields.map((field) => [field.key, field])),
    tags: new Set(tags.map(({ name }) => name)),
    flows: new Map(flows.map(({ id, starts, ...flow }) => [asId(id), { ...flow, starts: starts.map(asId) }])),
    credentials: new Map(credentials.map(({ name, type }) => [name, { type }])),
  };
};
