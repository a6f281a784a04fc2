import type { Egress, Exchange } from '../platform/egress/client.ts';
import { signDelivery } from './signature.ts';
import type { SigningSecrets } from './secrets.ts';

/** The time that the answer's status line and headers have from the start of a POST, in ms (specification 6.2 and 8). */
export const responseTimeoutMs = 10_000;

/** The most bytes of an answer's body that are read and kept as evidence. */
export const excerptBytes = 16 * 1024;

/** An endpoint: its account (a UUID), its url, and the secrets that sign for it. */
export type Endpoint = SigningSecrets & { accountId: string; url: string };

/** A message: the id by which receivers deduplicate, the exact bytes, and the time of this POST. */
type Content = { id: string; body: Uint8Array; at: Date };

/** Makes one signed POST to an endpoint. Also answers the headers that were sent. */
export const postSigned = async (
  egress: Egress,
  { accountId, url, ...signing }: Endpoint,
  { id, body, at }: Content,
): Promise<{ exchange: Exchange; headers: Record<string, string> }> => {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Parley (webhooks)',
    // Some servers refuse a request that says nothing of it. What is kept as evidence should be readable as it comes.
    accept: '*/*',
    'accept-encoding': 'identity',
    ...signDelivery({ ...signing, body, id, timestampSeconds: Math.floor(at.getTime() / 1000) }),
  };
  const timeoutMs = responseTimeoutMs;
  const exchange = await egress.post({ accountId, url, headers, body, timeoutMs, maxBodyBytes: excerptBytes });
  return { exchange, headers };
};
