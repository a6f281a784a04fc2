import { z } from 'zod';
import { findDefaultCountry } from '../accounts/queries.ts';
import type { CredentialType } from '../credentials/schema.ts';
import type { FieldDefinition } from '../custom-fields/values.ts';
import { showId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';
import { foldTag } from '../tags/fold.ts';
import type { Known } from './blocks/block.ts';
import type { LimitsByType } from './blocks/message-limits.ts';
import { definitionLimits } from './definition/definition.ts';

/** The most tags that are known. Callers can make fewer; those that published flows make stand beyond that bound. */
const knownTags = 2_000;

/** What an account has that definitions refer to. */
export type AccountHas = Omit<Known, 'refuseUrl'>;

/**
 * What the account has that a definition may refer to: its fields, tags, credentials, and flows that are not archived. `flowId` is a UUID, null
 * for a flow that is not stored yet. `limits` are those of the types of channels. `tagging` is empty: see `addTagging`.
 */
export const readKnown = async (
  sql: Sql,
  { accountId, flowId, limits }: { accountId: string; flowId: string | null; limits: LimitsByType },
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
  const credentials = await sql<{ name: string; type: CredentialType }[]>`
    select name, type from credentials where account_id = ${accountId} order by name`;
  const types = await sql<{ type: string }[]>`
    select distinct type from channels where account_id = ${accountId} and deleted_at is null order by type`;
  const country = await findDefaultCountry(sql, accountId);
  const asId = (uuid: string) => showId('flow', uuid);
  return {
    flowId: flowId === null ? null : asId(flowId),
    country,
    fields: new Map(fields.map((field) => [field.key, field])),
    tags: new Set(tags.map(({ name }) => name)),
    flows: new Map(flows.map(({ id, starts, ...flow }) => [asId(id), { ...flow, starts: starts.map(asId) }])),
    tagging: new Map(),
    channels: types.flatMap(({ type }) => (limits[type] ? [{ ...limits[type], type }] : [])),
    credentials: new Map(credentials.map(({ name, type }) => [name, { type }])),
  };
};

/** Adds the flows that may start each other with a draft, by tags: of `definition`, which may be any JSON, only its tag triggers are read. */
export const addTagging = async (
  sql: Sql,
  { accountId, definition, has }: { accountId: string; definition: unknown; has: AccountHas },
): Promise<AccountHas> => {
  const tagging = await readTagging(sql, accountId, tagsOfTriggers(definition));
  return {
    ...has,
    tagging: new Map(
      tagging.map(({ id, applies, startedBy }) => [
        showId('flow', id),
        { applies: new Set(applies.map(foldTag)), startedBy: new Set(startedBy.map(foldTag)) },
      ]),
    ),
  };
};

const triggered = z.object({ triggers: z.array(z.unknown()) });
const byTag = z.object({ type: z.literal('tag_applied'), tag: z.string() });

/** The tags that start a flow, folded: of the triggers that can be read. */
const tagsOfTriggers = (definition: unknown): string[] => {
  const { data } = triggered.safeParse(definition);
  return (data?.triggers ?? []).slice(0, definitionLimits.triggers).flatMap((trigger) => {
    const read = byTag.safeParse(trigger);
    return read.success ? [foldTag(read.data.tag)] : [];
  });
};

type Tagging = { id: string; applies: string[]; startedBy: string[] };

/** The live flows that have one of these tags somewhere, with the tags that their blocks apply, and those that start them. */
const readTagging = async (sql: Sql, accountId: string, tags: readonly string[]): Promise<Tagging[]> =>
  tags.length === 0
    ? []
    : sql<Tagging[]>`
      select f.id, array(
          select block->>'tag' from jsonb_array_elements(v.definition->'blocks') as block where block->>'type' = 'add_tag') as applies,
        array(select tag from flow_triggers t where t.flow_id = f.id and t.type = 'tag_applied' and tag is not null) as started_by
      from flows f join flow_versions v on v.flow_id = f.id and v.version = f.version
      where f.account_id = ${accountId} and f.status = 'live' and v.uses && ${tags.map((tag) => `tag:${tag}`)}::text[]`;
