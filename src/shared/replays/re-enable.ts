import type { Sql } from '../platform/db/connect.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import type { WebhookScope } from '../webhooks/queries.ts';
import type { EndpointCheck, WebhookRow } from '../webhooks/schema.ts';
import { settleCheck } from '../webhooks/verify.ts';
import { beyondCap } from './count.ts';
import { countMatching } from './filter.ts';
import { requireRoom, scopeFilter, startReplay, type AskedFilter, type PreparedReplay } from './manage.ts';
import { countOtherOpenReplays, findLostSince, lockOpenReplay, stopReplay, type ReplayRow } from './queries.ts';
import { defaultPace, type ReplayChoice } from './schema.ts';

/** How many deliveries of each status a replay has found, each as `countMatching` counts. */
type FoundByStatus = { parked: number; failed: number; dropped: number };

/** The replay that an owner chose for when the webhook is active again, and what it finds now. */
export type ChosenReplay = { replay: PreparedReplay; found: FoundByStatus };

/**
 * What the owner wants sent when the webhook is active again; undefined for nothing. Throws `conflict` when the account has as many
 * replays open as it may, before the endpoint is asked.
 */
export const prepareChoice = async (
  sql: Sql,
  scope: WebhookScope,
  { webhookId, choice }: { webhookId: string; choice: ReplayChoice },
): Promise<ChosenReplay | undefined> => {
  if (choice.type === 'none') return undefined;
  const { accountId } = scope;
  requireRoom(await countOtherOpenReplays(sql, { accountId, webhookId }));
  const asked: Pick<AskedFilter, 'statuses' | 'since' | 'lostSince'> =
    choice.type === 'since'
      ? { statuses: ['parked'], since: choice.since }
      : {
          statuses: ['parked', 'failed', 'dropped'],
          since: null,
          lostSince: await findLostSince(sql, { accountId, webhookId }),
        };
  const filter = await scopeFilter(sql, scope, { webhookId, until: null, ...asked });
  const count = async (status: keyof FoundByStatus): Promise<number> =>
    filter.statuses.includes(status) ? countMatching(sql, accountId, { ...filter, statuses: [status] }) : 0;
  // One after the other: a read of an account is worth one connection.
  const found = { parked: await count('parked'), failed: await count('failed'), dropped: await count('dropped') };
  const total = Math.min(found.parked + found.failed + found.dropped, beyondCap);
  return { replay: { filter, pace: defaultPace, total, ofReEnabling: true }, found };
};

/**
 * Takes the outcome of a disabled webhook's check into force, and in the same transaction begins the replay that was chosen;
 * it takes the place of one of the same choice that stopped when the webhook was disabled. Of two that find the endpoint well
 * at the same time one re-enables, and the other finds it done.
 */
export const reEnable = async (
  tx: Transaction,
  { webhook, check, chosen }: { webhook: WebhookRow; check: EndpointCheck; chosen: ChosenReplay | undefined },
): Promise<{ webhook: WebhookRow; replay: ReplayRow | undefined }> => {
  const { accountId } = webhook;
  // Before the webhook's lock, as a batch of it takes them.
  const open = chosen && (await lockOpenReplay(tx.sql, accountId, chosen.replay.filter));
  const { webhook: settled, activated } = await settleCheck(tx.sql, webhook, check);
  if (!chosen || !activated) return { webhook: settled, replay: undefined };
  if (open) await stopReplay(tx.sql, open, { status: 'cancelled', reason: null });
  return { webhook: settled, replay: await startReplay(tx, accountId, chosen.replay) };
};
