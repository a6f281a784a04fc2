import { createHmac } from 'node:crypto';
import type { SigningSecrets } from './signing-secrets.ts';

/** What is signed: the exact bytes sent, the id receivers deduplicate on, and the time of this attempt in Unix seconds. */
type DeliveryToSign = SigningSecrets & { body: Uint8Array; id: string; timestampSeconds: number };

const standardPrefix = 'whsec_';
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Standard Webhooks' key: what follows `whsec_`, base64-decoded; any other secret is used as its UTF-8 bytes. */
const standardKey = (secret: string): Buffer => {
  const encoded = secret.startsWith(standardPrefix) ? secret.slice(standardPrefix.length) : '';
  return encoded !== '' && base64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret, 'utf8');
};

/**
 * The signature headers of one POST to a webhook. `X-Service-Signature` is the lowercase hex HMAC-SHA256 of the body,
 * keyed with the whole secret (specification 5.6); beside it stand the headers of Standard Webhooks, whose signature also covers
 * the id and the time. It is made with each of the secrets: a receiver that has either one, while it changes over, finds its own.
 */
export const signDelivery = ({
  secret,
  previousSecret,
  body,
  id,
  timestampSeconds,
}: DeliveryToSign): Record<string, string> => {
  const standard = (key: string): string =>
    `v1,${createHmac('sha256', standardKey(key)).update(`${id}.${timestampSeconds}.`).update(body).digest('base64')}`;
  return {
    'X-Service-Signature': createHmac('sha256', secret).update(body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': [secret, ...(previousSecret === undefined ? [] : [previousSecret])].map(standard).join(' '),
  };
};
