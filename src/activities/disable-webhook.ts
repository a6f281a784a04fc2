import { changed } from '../shared/facts/changed.ts';
import type { EventTransact } from '../shared/facts/tell.ts';
import { endRound, type Round } from '../shared/deliveries/rounds.ts';
import type { Disabling } from '../shared/deliveries/types.ts';
import { readId, showId } from '../shared/ids.ts';
import type { Logger } from '../shared/platform/log.ts';
import type { DeliveryMetrics } from '../shared/deliveries/metrics.ts';
import { createWebhookDisabledMail } from '../shared/mail/webhook-disabled.ts';
import { insertMail } from '../shared/mail/queries.ts';
import { disableExhaustedWebhook, isWebhookDisabled } from '../shared/deliveries/disable.ts';

export type DisableDeps = {
  transact: EventTransact;
  baseUrl: string;
  apiUrl: string;
  metrics: DeliveryMetrics;
  log: Logger;
};

/**
 * Ends an exhausted delivery of variant A as `failed`. If the failures were consecutive, it disables the webhook and writes one e-mail to the
 * account holder (specification 3 and 6.3), in the same transaction. Idempotent: a webhook is disabled once per generation, and a mail is
 * written once per disabling.
 */
export const disableWebhook =
  ({ transact, baseUrl, apiUrl, metrics, log }: DisableDeps) =>
  async (round: Round): Promise<Disabling> => {
    const failed = { deliveryId: readId('delivery', round.deliveryId), round: round.round };
    const { disabled, webhookDisabled, ...end } = await transact(async (tx) => {
      const disabled = await disableExhaustedWebhook(tx.sql, failed);
      if (disabled) await insertMail(tx, createWebhookDisabledMail(disabled, { baseUrl, apiUrl }));
      const webhookDisabled = await isWebhookDisabled(tx.sql, failed);
      const end = await endRound(tx.sql, failed, 'failed');
      if (end.accountId !== undefined)
        await tx.tell(changed(end.accountId, 'deliveries', ...(disabled ? (['webhooks'] as const) : [])));
      return { disabled, webhookDisabled, ...end };
    });
    if (disabled) {
      const { accountId, webhookId } = disabled;
      log.warn(
        { account_id: showId('account', accountId), webhook_id: showId('webhook', webhookId) },
        'webhook.disabled',
      );
    }
    metrics.ended(end);
    return { status: end.status, webhookDisabled };
  };
