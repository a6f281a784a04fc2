import type { IncomingMessage } from 'node:http';
import type { Request } from 'koa';
import { RequestError } from '../shared/errors.ts';
import { parseJson } from '../shared/platform/json/parse-json.ts';
import type { RequestState } from './http.ts';

/** The largest body of an operation that declares no other, in bytes. */
export const usualBodyLimit = 256 * 1024;

/** The same of one that takes none, where it is read all the same: what an Idempotency-Key stands for may have one. */
export const strayBodyLimit = 16 * 1024;

type Incoming = { req: IncomingMessage; request: Request };

/** The body's bytes, which are read once; the first caller sets the limit. */
export const bodyBytes = async (
  ctx: Incoming & { state: RequestState },
  limit: number = usualBodyLimit,
): Promise<Buffer> => (ctx.state.bodyBytes ??= await readBody(ctx, limit));

/**
 * The request's body. 413 as soon as it is known to be larger than `limit` bytes, 415 for an encoded one; `listen` bounds what is sent all the
 * same.
 */
const readBody = async ({ req, request }: Incoming, limit: number): Promise<Buffer> => {
  const encoding = request.get('content-encoding');
  if (encoding !== '' && encoding !== 'identity') {
    throw new RequestError('unsupported_media_type', 'The body must not be compressed.');
  }
  if ((request.length ?? 0) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop must not destroy the request, because its answer is still to be sent.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON in the body's bytes: 415 for another type, 400 for what is not JSON in whole UTF-8. */
export const readJson = (request: Request, bytes: Buffer): unknown => {
  if (bytes.length === 0) throw new RequestError('invalid_json', 'The request needs a JSON body.');
  const charset = request.charset.toLowerCase();
  if (request.type !== 'application/json' || (charset !== '' && charset !== 'utf-8' && charset !== 'utf8')) {
    throw new RequestError('unsupported_media_type', 'The body must be application/json in UTF-8.');
  }
  try {
    return parseJson(utf8.decode(bytes));
  } catch {
    // The parser's own message would repeat a part of the body.
    throw new RequestError('invalid_json', 'The body is not valid JSON in UTF-8.');
  }
};

const tooLarge = (limit: number): RequestError =>
  new RequestError('payload_too_large', `The body is larger than ${limit / 1024} KiB.`);
