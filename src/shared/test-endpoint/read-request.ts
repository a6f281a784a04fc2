import type { IncomingMessage } from 'node:http';
import { isSecretName } from '../platform/secret-names.ts';
import { keptAtMost, type KeptRequest } from './schema.ts';

/** A body beyond this, in bytes, is not waited for. */
const readAtMost = 1_048_576;

/** The beginning of a body, and how long it was. `isWhole` where all of it is here. */
export type ReadBody = { text: string; bytes: number; isWhole: boolean };

/** Reads a body up to its bound. Rejects when the request breaks off. */
export const readTestBody = async (request: IncomingMessage): Promise<ReadBody> => {
  const chunks: Buffer[] = [];
  let [bytes, kept] = [0, 0];
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const part: Buffer = chunk;
    bytes += part.length;
    const room = keptAtMost.bodyBytes - kept;
    if (room > 0) {
      // A copy: the part would keep all of the buffer that it is cut from.
      chunks.push(Buffer.from(part.subarray(0, room)));
      kept += Math.min(room, part.length);
    }
    if (bytes > readAtMost) break;
  }
  return { text: Buffer.concat(chunks).toString('utf8'), bytes, isWhole: bytes === kept };
};

const signatures: ReadonlySet<string> = new Set(['x-service-signature', 'webhook-signature']);

/** The headers as they came. Signatures tell no secret; what else is one by its name is hidden. */
export const listHeaders = ({ rawHeaders }: IncomingMessage): KeptRequest['headers'] =>
  Array.from({ length: rawHeaders.length / 2 }, (_, index) => {
    const name = rawHeaders[2 * index] ?? '';
    const value = rawHeaders[2 * index + 1] ?? '';
    const isHidden = isSecretName(name) && !signatures.has(name.toLowerCase());
    return { name, value: isHidden ? '[redacted]' : value };
  });

/** What a request is for, as its body says. */
export const readKind = (body: string): Pick<KeptRequest, 'kind' | 'event'> & { challenge?: string } => {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // Anything may be sent here.
  }
  if (typeof value !== 'object' || value === null) return { kind: 'other', event: null };
  const { challenge, event }: { challenge?: unknown; event?: unknown } = value;
  if (typeof challenge === 'string' && Object.keys(value).length === 1)
    return { kind: 'challenge', event: null, challenge };
  return typeof event === 'string' ? { kind: 'event', event: event.slice(0, 100) } : { kind: 'other', event: null };
};
