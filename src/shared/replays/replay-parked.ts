import type { Transact } from '../db/transact.ts';
import type { WebhookRow, WebhookScope } from '../webhooks/queries.ts';
import { createReplay } from './manage.ts';
import type { ReplayRow } from './queries.ts';
import { defaultPace, type ParkedChoice } from './schema.ts';

/**
 * Begins the replay that the owner chose for a webhook that is active again; it takes the place of one of the same choice that
 * stopped when the webhook was disabled. Nothing for one that is still disabled.
 */
export const replayParked = async (
  { transact }: { transact: Transact },
  scope: WebhookScope,
  { webhook, choice }: { webhook: WebhookRow; choice: ParkedChoice },
): Promise<ReplayRow | undefined> => {
  if (webhook.status !== 'active' || choice.type === 'none') return undefined;
  const since = choice.type === 'since' ? choice.since : null;
  const filter = { webhookId: webhook.id, statuses: ['parked'], since, until: null } as const;
  return transact((tx) => createReplay(tx, scope, { ...filter, pace: defaultPace, supersede: true }));
};
