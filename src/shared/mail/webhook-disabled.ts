import type { DisabledWebhook } from '../deliveries/disable.ts';
import { showId } from '../ids.ts';
import { maskUrl } from '../webhooks/mask-url.ts';
import type { NewMail } from './queries.ts';

/** The e-mail that tells the account holder of a disabled webhook (specification 3); its generation makes it one per disabling. */
export const createWebhookDisabledMail = (webhook: DisabledWebhook, { baseUrl }: { baseUrl: string }): NewMail => ({
  accountId: webhook.accountId,
  kind: 'webhook_disabled',
  dedupKey: `webhook_disabled/${webhook.webhookId}/${webhook.generation}`,
  recipient: webhook.recipient,
  subject: `Your webhook to ${new URL(webhook.url).host} was disabled`,
  body: `Hello,

your webhook ${showId('webhook', webhook.webhookId)} to

  ${maskUrl(webhook.url)}

failed on a first attempt and on all five retries, without any delivery succeeding in between, and was disabled.

Nothing is lost: new events for it are kept. When your endpoint answers 200 again, re-enable the webhook under
Settings, Webhooks, and choose there what shall be replayed:

  ${baseUrl}/settings/webhooks

Parley
`,
});
