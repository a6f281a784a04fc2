import type { DisabledWebhook } from '../deliveries/disable.ts';
import { showId } from '../ids.ts';
import { maskedHost } from '../platform/mask-url.ts';
import { greet } from './greet.ts';
import type { NewMail } from './queries.ts';

/**
 * The e-mail to the account holder of a disabled webhook (specification 3): what happened, the page on which it is made active again, and how
 * programs do that. The generation in `dedupKey` makes it one per disabling.
 */
export const createWebhookDisabledMail = (
  webhook: DisabledWebhook,
  { baseUrl, apiUrl }: { baseUrl: string; apiUrl: string },
): NewMail => {
  const id = showId('webhook', webhook.webhookId);
  const host = maskedHost(webhook.url);
  return {
    accountId: webhook.accountId,
    kind: 'webhook_disabled',
    dedupKey: `webhook_disabled/${webhook.webhookId}/${webhook.generation}`,
    recipient: webhook.recipient,
    subject: `Your webhook to ${host} was disabled`,
    body: `${greet(webhook.recipientName)}

your webhook ${id} to ${host}
was disabled at ${sayTime(webhook.disabledAt)}. All six attempts of a delivery have failed since ${sayTime(webhook.failingSince)},
and no other delivery succeeded meanwhile. Last failure: ${sayFailure(webhook.lastFailure)}.

Nothing is lost: we hold its new events. Fix your endpoint, then re-enable the webhook on its page. There you choose which held and
failed events to replay:

  ${baseUrl}/settings/webhooks/${id}

To re-enable it by API and replay everything:

  curl -X POST ${apiUrl}/v1/webhooks/${id}/re-enable \\
    -H 'Authorization: Bearer <API key>' -H 'Content-Type: application/json' -d '{"replay":{"type":"all"}}'

Operators can use the command:

  parley webhooks re-enable ${id} --replay all

Parley
`,
  };
};

const sayTime = (at: Date): string => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const sayFailure = (failure: DisabledWebhook['lastFailure']): string => {
  if (failure?.statusCode) return `HTTP ${failure.statusCode}`;
  return failure?.reason === 'timeout'
    ? 'no response within 10 seconds'
    : `no response (${failure?.reason ?? 'unknown'})`;
};
