import { createHmac } from 'node:crypto';
import * as node from '../../../packages/verify/src/index.ts';
import * as web from '../../../packages/verify/src/web.ts';
import type { Webhook, WebhookRequest } from '../../../packages/verify/src/index.ts';

export type Verify = (request: WebhookRequest) => Promise<Webhook>;

/** Both entries of the package, awaited alike: what holds for one must hold for the other. */
export const entries: { entry: string; verify: Verify }[] = [
  { entry: 'node', verify: async (request) => node.verifyWebhook(request) },
  { entry: 'web', verify: web.verifyWebhook },
];

export const secret = 'a secret of the caller';

export const apiBody = JSON.stringify({
  id: 'dlv_1',
  event: 'new_message',
  timestamp: '2026-11-21T10:54:12.387Z',
  data: {
    contact_id: 'con_1',
    channel: 'api',
    message: { id: 'msg_1', text: 'Grüße', direction: 'inbound', sent_at: '2026-11-21T10:54:12.387Z' },
  },
});

/** `X-Service-Signature` as the specification has it (5.6), by node:crypto alone. */
export const serviceSignature = (body: string | Uint8Array, key: string = secret): string =>
  createHmac('sha256', key).update(body).digest('hex');

/** A rightly signed request without the headers of Standard Webhooks, but with an id. */
export const signed = (body: string | Uint8Array = apiBody) => ({
  body,
  headers: { 'x-service-signature': serviceSignature(body), 'webhook-id': 'dlv_1' },
  secrets: secret,
});
