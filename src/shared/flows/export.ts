import { showId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';
import { getDraft } from './drafts.ts';
import { withCredentialNames, type FlowFile } from './file.ts';
import { getFlow } from './manage.ts';
import { toPortable } from './portable.ts';
import type { FlowKey } from './queries.ts';
import { getVersion } from './versions.ts';

/** A flow as a file: its draft, or one of its versions; for agents without headers and the hosts of credentials. Throws `not_found`. */
export const exportFlow = async (
  sql: Sql,
  key: FlowKey,
  { version, forAgent }: { version?: number | undefined; forAgent: boolean },
): Promise<FlowFile> => {
  const { name } = await getFlow(sql, key);
  const { definition: stored, uses } =
    version === undefined ? await getDraft(sql, key) : await getVersion(sql, key, version);
  const needed = sortUses(uses);
  const { accountId } = key;
  // One after the other, because a read has one connection.
  const fields = await sql<FlowFile['needs']['fields']>`
    select key, name, type, options, default_value as default from custom_fields
    where account_id = ${accountId} and key = any(${needed.field}) order by key`;
  const credentials = await sql<FlowFile['needs']['credentials']>`
    select name, type, hosts from credentials where account_id = ${accountId} and name = any(${needed.credential}) order by name`;
  const flows = await sql<{ id: string; name: string }[]>`
    select id, name from flows where account_id = ${accountId} and id = any(${needed.flow}) order by name`;
  const names = new Map(flows.map((flow) => [showId('flow', flow.id), flow.name]));
  const { definition, leftOut } = toPortable(stored, { names, hidesHeaders: forAgent });
  const needs = {
    fields: [...fields],
    tags: needed.tag,
    credentials: [...credentials],
    flows: [...new Set(names.values())],
  };
  const file: FlowFile = { parley_flow: 1, name, definition, needs, left_out: leftOut };
  return forAgent ? withCredentialNames(file) : file;
};

const sortUses = (uses: readonly string[]) => {
  const of = (type: string) => uses.flatMap((use) => (use.startsWith(`${type}:`) ? [use.slice(type.length + 1)] : []));
  return { field: of('field'), tag: of('tag'), credential: of('credential'), flow: of('flow') };
};
