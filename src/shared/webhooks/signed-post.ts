import type { Egress, Exchange } from '../platform/egress/client.ts';
import { signDelivery } from './signature.ts';
import type { SigningSecrets } from './signing-secrets.ts';

/** The time that the answer's status line and headers have from the start of a POST, in ms (specification 6.2 and 8). */
export const responseTimeoutMs = 10_000;

/** As much of an answer's body as is read, and kept as evidence. */
const excerptBytes = 16 * 1024;

/** Whose endpoint, where it is, and what signs what it is sent; the account's id is a UUID. */
export type Endpoint = SigningSecrets & { accountId: string; url: string };

/** The id that receivers deduplicate on, the exact bytes, and the time of this POST. */
type Content = { id: string; body: Uint8Array; at: Date };

/** One POST to a webhook's endpoint, signed as all of them are; answers the headers that were sent, too. */
export const postSigned = async (
  egress: Egress,
  { accountId, url, ...signing }: Endpoint,
  { id, body, at }: Content,
): Promise<{ exchange: Exchange; headers: Record<string, string> }> => {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Parley (webhooks)',
    ...signDelivery({ ...signing, body, id, timestampSeconds: Math.floor(at.getTime() / 1000) }),
  };
  const timeoutMs = responseTimeoutMs;
  const exchange = await egress.post({ accountId, url, headers, body, timeoutMs, maxBodyBytes: excerptBytes });
  return { exchange, headers };
};
