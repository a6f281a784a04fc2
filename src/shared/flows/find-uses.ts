import { conflictWith, type Problem, type RequestError } from '../errors.ts';
import { showId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';
import { foldTag } from '../tags/fold.ts';

/** Something that flows refer to: a custom field by its key, a tag or credential by its name, a flow by its UUID. */
type Needed = `field:${string}` | `tag:${string}` | `credential:${string}` | `flow:${string}`;

/** Where a flow needs something: in its draft, in the version that new runs take, and in versions that contacts are still in. */
type Use = { flowId: string; flowName: string; inDraft: boolean; isLive: boolean; openVersions: number[] };

/** The most flows that are told. */
const usesAtMost = 100;

const usesLockClass = 7_205_765;

/**
 * Takes, until the transaction ends, the lock under which it is decided what the account's flows need: publishing and deleting take turns.
 */
export const lockUses = async (sql: Sql, accountId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${usesLockClass}, hashtext(${accountId}::uuid::text))`;
};

/**
 * The flows that need this, oldest first: it must not be deleted. An archived flow needs only what its open runs do. Call it in the
 * transaction of the deletion: no flow that needs it is published until that ends.
 */
export const findUses = async (sql: Sql, accountId: string, needed: Needed): Promise<Use[]> => {
  await lockUses(sql, accountId);
  const use = needed.startsWith('tag:') ? `tag:${foldTag(needed.slice('tag:'.length))}` : needed;
  return sql<Use[]>`
    select * from (
      select f.id as flow_id, f.name as flow_name,
        f.status <> 'archived' and ${use} = any(f.draft_uses) as in_draft,
        f.status in ('live', 'paused') and coalesce((
          select ${use} = any(v.uses) from flow_versions v where v.flow_id = f.id and v.version = f.version), false) as is_live,
        array(
          select v.version from flow_versions v
          where v.flow_id = f.id and ${use} = any(v.uses) and exists (
            select from runs r where r.flow_id = v.flow_id and r.version = v.version and r.ended_at is null)
          order by v.version) as open_versions
      from flows f where f.account_id = ${accountId}) as found
    where in_draft or is_live or cardinality(open_versions) > 0
    order by flow_id limit ${usesAtMost}`;
};

/** Throws `conflict` that says where it is needed, for a deletion: see `findUses`. `what` begins the sentence: "The field size". */
export const requireUnused = async (
  sql: Sql,
  accountId: string,
  { needed, what }: { needed: Needed; what: string },
): Promise<void> => {
  const uses = await findUses(sql, accountId, needed);
  if (uses.length === 0) return;
  throw usedBy(`${what} is used by flows: details say which.`, uses);
};

/** A 409 that names the first of these flows, and all of them in its details. */
export const usedBy = (message: string, uses: readonly Use[]): RequestError =>
  conflictWith(message, { noun: 'flow', id: uses[0]?.flowId, details: uses.map(sayUse) });

/** Where a flow needs something, as a problem of the request that would take it away. */
const sayUse = ({ flowId, flowName, inDraft, isLive, openVersions }: Use): Problem => {
  const places = [
    ...(inDraft ? ['its draft'] : []),
    ...(isLive ? ['its published version'] : []),
    ...openVersions.map((version) => `its version ${version}, which contacts are still in`),
  ];
  return { path: showId('flow', flowId), message: `${JSON.stringify(flowName)}: ${places.join(', ')}` };
};
