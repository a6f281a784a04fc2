import { isDeepStrictEqual } from 'node:util';
import { found, RequestError } from '../errors.ts';
import { lockAutomation } from '../accounts/automation-lock.ts';
import { changed } from '../facts/changed.ts';
import type { Writer } from '../facts/tell.ts';
import type { Sql } from '../platform/db/connect.ts';
import { checkHere, type CheckDraft, type CheckedDraft, type Publishable } from './check.ts';
import type { Issue } from './definition/issues.ts';
import type { Known } from './blocks/block.ts';
import type { LimitsByType } from './blocks/message-limits.ts';
import { getDraft, requireRevision, type OnlyIf } from './drafts.ts';
import { lockUses } from './find-uses.ts';
import { addTagging, readKnown, type AccountHas } from './known.ts';
import { getFlow } from './manage.ts';
import { lockFlow, type Draft, type FlowKey } from './queries.ts';
import type { FlowRow } from './schema.ts';
import { putTriggersInForce } from './triggers.ts';

/** How many of its latest versions a flow keeps in any case, and the most with older ones that runs still name. */
const versionsPerFlow = { kept: 100, atMost: 1_000 } as const;

/** A draft that was checked before the transaction: which one, and by what its account had. */
type CheckedBefore = CheckedDraft & { revision: number; has: AccountHas };

/** `refuseUrl` tells why an address that a flow names may not be called, as far as it is plain to see. */
type CheckDeps = Writer & { refuseUrl: Known['refuseUrl'] };

/**
 * `check` is asked where nothing was checked before, or something else; it checks in this thread where it is not given. Without the `limits` of
 * channels nothing is said of them.
 */
type PublishOptions = {
  onlyIf?: OnlyIf;
  before?: CheckedBefore;
  check?: CheckDraft;
  limits?: LimitsByType;
  /** The user who publishes, and what the version is for. */
  by?: string | undefined;
  note?: string | undefined;
};

/**
 * Makes the draft of a flow its next version, which contacts enter from now on; those in earlier versions stay there. A paused flow stays
 * paused. A draft that has not changed makes no version, unless a block of it means something else since. Answers the flow, and warnings. Throws `not_found`, `precondition_failed`,
 * `conflict` for an archived flow and for bounds of the account, and `invalid_request` with every issue when there is an error among them.
 */
export const publishFlow = async (
  { sql, tell, refuseUrl }: CheckDeps,
  key: FlowKey,
  { onlyIf, before, check = checkHere(refuseUrl), limits = {}, by, note }: PublishOptions = {},
): Promise<{ flow: FlowRow; issues: Issue[] }> => {
  const { accountId, id } = key;
  // Two flows that are published at once could start each other, and both take the last places of triggers.
  await lockUses(sql, accountId);
  const flow = found('flow', await lockFlow(sql, key));
  requireRevision(flow, onlyIf);
  if (flow.status === 'archived') throw new RequestError('conflict', 'The flow is archived.');
  const draft = await getDraft(sql, key);
  const { definition } = draft;
  const has = await addTagging(sql, {
    accountId,
    definition,
    has: await readKnown(sql, { accountId, flowId: id, limits }),
  });
  const { issues, publishable, uses } =
    before && isOf(before, { draft, has }) ? before : await check(accountId, { definition, has });
  if (!publishable || !uses) throw unpublishable(issues);
  await beginAutomation({ sql, tell }, accountId);
  await insertVersion(sql, key, { ...draft, ...publishable, uses, by, note });
  if (flow.status !== 'paused') await putTriggersInForce(sql, key);
  await deleteOldVersions(sql, id);
  await tell(changed(accountId, 'flows'));
  return { flow: await getFlow(sql, key), issues };
};

/** Whether this draft was checked, by what the account has now of what an error may come from. */
const isOf = (before: CheckedBefore, { draft, has }: { draft: Draft; has: AccountHas }): boolean =>
  draft.revision === before.revision && isDeepStrictEqual(causesOfErrors(has), causesOfErrors(before.has));

const causesOfErrors = ({ fields, credentials, flows }: AccountHas) => ({
  fields,
  credentials,
  starts: [...flows].map(([id, { starts }]) => [id, starts]),
});

const unpublishable = (issues: readonly Issue[]): RequestError =>
  new RequestError('invalid_request', 'The draft cannot be published as it is: details have every issue.', {
    details: issues,
  });

/** From the first publish on messages and events of the account look for flows: whoever did not is waited for. */
const beginAutomation = async ({ sql, tell }: Writer, accountId: string): Promise<void> => {
  const [account] = await sql<{ automated: boolean }[]>`select automated from accounts where id = ${accountId}`;
  if (account?.automated) return;
  await lockAutomation(sql, accountId);
  await sql`update accounts set automated = true where id = ${accountId} and not automated`;
  await tell(changed(accountId, 'account'));
};

/** Publishes the draft as a new version, unless the latest one is the same, and means the same. */
const insertVersion = async (
  sql: Sql,
  { accountId, id }: FlowKey,
  {
    revision,
    uses,
    isOneActive,
    listens,
    by,
    note,
    ...publishable
  }: Publishable & Pick<PublishOptions, 'by' | 'note'> & { revision: number; uses: readonly string[] },
): Promise<void> => {
  const blockVersions = sql`${JSON.stringify(publishable.blockVersions)}::text::jsonb`;
  await sql`
    insert into flow_versions (flow_id, version, account_id, definition, uses, one_active, listens, block_versions, published_by, note)
    select f.id, coalesce(f.version, 0) + 1, ${accountId}, f.draft, ${[...uses]}, ${isOneActive}, ${[...listens]},
      ${blockVersions}, ${by ?? null}::uuid, ${note === '' ? null : (note ?? null)}
    from flows f left join flow_versions v on v.flow_id = f.id and v.version = f.version
    where f.id = ${id} and (v.definition is distinct from f.draft or v.block_versions is distinct from ${blockVersions})`;
  await sql`
    update flows set version = (select max(version) from flow_versions where flow_id = ${id}), published_revision = ${revision},
      status = case status when 'draft' then 'live' else status end,
      published_at = case when published_revision is distinct from ${revision} then clock_timestamp() else published_at end,
      updated_at = clock_timestamp()
    where id = ${id}`;
};

/** Versions that no run names go, but for the latest. */
const deleteOldVersions = async (sql: Sql, id: string): Promise<void> => {
  const { kept, atMost } = versionsPerFlow;
  await sql`
    delete from flow_versions v where v.flow_id = ${id} and v.version <= (select version from flows where id = ${id}) - ${kept}
      and not exists (select from runs r where r.flow_id = v.flow_id and r.version = v.version)`;
  const [count] = await sql<[{ versions: number }]>`
    select count(*)::int as versions from flow_versions where flow_id = ${id}`;
  if (count.versions > atMost)
    throw new RequestError('conflict', `Runs still name ${atMost} versions of this flow: they go with RETENTION_DAYS.`);
};
