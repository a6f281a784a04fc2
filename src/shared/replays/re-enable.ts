import { readAskedTime } from '../accounts/asked-time.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { EventTransaction } from '../facts/tell.ts';
import type { WebhookScope } from '../webhooks/queries.ts';
import type { EndpointCheck, WebhookRow } from '../webhooks/schema.ts';
import { settleCheck } from '../webhooks/verify.ts';
import { beyondCap } from './count.ts';
import { countMatching } from './filter.ts';
import { requireRoom, scopeFilter, startReplay, type AskedFilter, type PreparedReplay } from './manage.ts';
import { countOtherOpenReplays, findLostSince, lockOpenReplay, setReplayStatus, type ReplayRow } from './queries.ts';
import { defaultPace, type FoundByStatus, type ReplayChoice } from './schema.ts';

/** The replay that an owner wants when the webhook is active again, and what it finds now. */
export type ChosenReplay = { replay: PreparedReplay; found: FoundByStatus };

/** What an owner may want replayed of a webhook, a UUID. */
type Wanted = { webhookId: string; choice: ReplayChoice };

/** The replay that an owner may want when the webhook is active again, with what it finds now; undefined for none. Throws as `scopeFilter`. */
export const findChoice = async (
  sql: Sql,
  scope: WebhookScope,
  { webhookId, choice }: Wanted,
): Promise<ChosenReplay | undefined> => {
  if (choice.type === 'none') return undefined;
  const { accountId } = scope;
  const asked: Pick<AskedFilter, 'statuses' | 'since' | 'lostSince'> =
    choice.type === 'since'
      ? { statuses: ['parked'], since: (await readAskedTime(sql, accountId, choice.since)) ?? null }
      : {
          statuses: ['parked', 'failed', 'dropped'],
          since: null,
          lostSince: await findLostSince(sql, { accountId, webhookId }),
        };
  const filter = await scopeFilter(sql, scope, { webhookId, until: null, ...asked });
  const count = async (status: keyof FoundByStatus): Promise<number> =>
    filter.statuses.includes(status) ? countMatching(sql, accountId, { ...filter, statuses: [status] }) : 0;
  // One after the other, because the reads of an account share a connection.
  const found = { parked: await count('parked'), failed: await count('failed'), dropped: await count('dropped') };
  const total = Math.min(found.parked + found.failed + found.dropped, beyondCap);
  return { replay: { filter, pace: defaultPace, total, ofReEnabling: true }, found };
};

/**
 * Prepares the replay that the owner wants when the webhook is active again; undefined for none. Throws `conflict` when the account has as many
 * replays open as it may, before the endpoint is asked.
 */
export const prepareChoice = async (
  sql: Sql,
  scope: WebhookScope,
  wanted: Wanted,
): Promise<ChosenReplay | undefined> => {
  if (wanted.choice.type === 'none') return undefined;
  requireRoom(await countOtherOpenReplays(sql, { accountId: scope.accountId, webhookId: wanted.webhookId }));
  return findChoice(sql, scope, wanted);
};

/**
 * Applies the check of a disabled webhook, and begins the chosen replay in the same transaction. The replay replaces one of the same choice that
 * stopped when the webhook was disabled. When two find the endpoint healthy at the same time, one re-enables and the other finds it done.
 */
export const reEnable = async (
  tx: EventTransaction,
  { webhook, check, chosen }: { webhook: WebhookRow; check: EndpointCheck; chosen: ChosenReplay | undefined },
): Promise<{ webhook: WebhookRow; replay: ReplayRow | undefined }> => {
  const { accountId } = webhook;
  // Before the webhook's lock, in the order in which a batch of it locks.
  const open = chosen && (await lockOpenReplay(tx.sql, accountId, chosen.replay.filter));
  const { webhook: settled, activated } = await settleCheck(tx, webhook, check);
  if (!chosen || !activated) return { webhook: settled, replay: undefined };
  if (open) await setReplayStatus(tx.sql, open, { status: 'cancelled', reason: null });
  return { webhook: settled, replay: await startReplay(tx, accountId, chosen.replay) };
};
