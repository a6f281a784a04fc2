import type { Sql } from '../db/connect.ts';
import type { Transaction } from '../db/transact.ts';
import type { WebhookRow, WebhookScope } from '../webhooks/queries.ts';
import type { EndpointCheck } from '../webhooks/schema.ts';
import { settleCheck } from '../webhooks/verify.ts';
import { prepareReplay, startReplay, type PreparedReplay } from './manage.ts';
import { lockOpenReplay, stopReplay, type ReplayRow } from './queries.ts';
import { defaultPace, type ParkedChoice } from './schema.ts';

/** What the owner wants sent when the webhook is active again; undefined for nothing. */
export const prepareParked = async (
  sql: Sql,
  scope: WebhookScope,
  { webhookId, choice }: { webhookId: string; choice: ParkedChoice },
): Promise<PreparedReplay | undefined> => {
  if (choice.type === 'none') return undefined;
  const since = choice.type === 'since' ? choice.since : null;
  return prepareReplay(sql, scope, { webhookId, statuses: ['parked'], since, until: null, pace: defaultPace });
};

/**
 * Takes the outcome of a disabled webhook's check into force, and in the same transaction begins the replay that was chosen;
 * it takes the place of one of the same choice that stopped when the webhook was disabled. Of two that find the endpoint well
 * at the same time one re-enables, and the other finds it done.
 */
export const reEnable = async (
  tx: Transaction,
  { webhook, check, parked }: { webhook: WebhookRow; check: EndpointCheck; parked: PreparedReplay | undefined },
): Promise<{ webhook: WebhookRow; replay: ReplayRow | undefined }> => {
  const { accountId } = webhook;
  // Before the webhook's lock, as a batch of it takes them.
  const open = parked && (await lockOpenReplay(tx.sql, accountId, parked.filter));
  const { webhook: settled, activated } = await settleCheck(tx.sql, webhook, check);
  if (!parked || !activated) return { webhook: settled, replay: undefined };
  if (open) await stopReplay(tx.sql, open, { status: 'cancelled', reason: null });
  return { webhook: settled, replay: await startReplay(tx, accountId, parked) };
};
