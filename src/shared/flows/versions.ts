import { found } from '../errors.ts';
import type { Writer } from '../facts/tell.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { BlockVersions } from './definition/plan.ts';
import { saveDraft, type OnlyIf } from './drafts.ts';
import { getFlow } from './manage.ts';
import type { Draft, FlowKey } from './queries.ts';
import type { DraftDefinition, VersionRow } from './schema.ts';

type StoredVersion = VersionRow & { definition: DraftDefinition; uses: string[]; blockVersions: BlockVersions };

const columns = (sql: Sql) => sql`
  v.flow_id, v.version, v.version = f.version as is_current, v.created_at, v.published_by, v.note,
  exists (select from runs r where r.flow_id = v.flow_id and r.version = v.version and r.ended_at is null) as open_runs`;

/** A page of the versions of a flow, newest first; `before` is the version to go on from. Throws `not_found`. */
export const listVersions = async (
  sql: Sql,
  key: FlowKey,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<VersionRow[]> => {
  await getFlow(sql, key);
  return sql<VersionRow[]>`
    select ${columns(sql)} from flow_versions v join flows f on f.id = v.flow_id
    where v.flow_id = ${key.id} ${before === undefined ? sql`` : sql`and v.version < ${before}`}
    order by v.version desc limit ${limit}`;
};

/** A version of the account's flow with its definition and what that needs; throws `not_found`. */
export const getVersion = async (sql: Sql, { accountId, id }: FlowKey, version: number): Promise<StoredVersion> => {
  const [row] = await sql<StoredVersion[]>`
    select ${columns(sql)}, v.definition, v.uses, v.block_versions from flow_versions v join flows f on f.id = v.flow_id
    where f.account_id = ${accountId} and f.id = ${id} and v.version = ${version}`;
  return found('version', row);
};

/** Makes a version the draft again. Throws `not_found`, and as `saveDraft`. */
export const restoreVersion = async (
  tx: Writer,
  key: FlowKey,
  { version, onlyIf }: { version: number; onlyIf: OnlyIf },
): Promise<Draft> => {
  const { definition, uses } = await getVersion(tx.sql, key, version);
  return saveDraft(tx, key, { definition, uses, onlyIf });
};
