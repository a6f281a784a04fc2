import type { Middleware } from 'koa';
import { z } from 'zod';
import { notFound, RequestError } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import type { Plan } from '../shared/accounts/plans.ts';
import { mediaNoun, type MediaRow } from '../shared/media/schema.ts';
import type { Sql } from '../shared/platform/db/connect.ts';
import { keysOf, type ByteRange } from '../shared/media/store.ts';
import type { Door } from './doors.ts';
import { createRouter, type ApiContext, type ApiDeps, type ApiState } from './http.ts';
import { networkOf } from './middleware/client-address.ts';
import { parseQuery } from './parse.ts';
import { createTryBudget, takeTry } from './try-budget.ts';

const linkQuery = z.object({
  expires: z.string().max(12).default(''),
  signature: z.string().max(64).default(''),
  size: z.literal('thumbnail').optional(),
});

/** Whatever a file has in it runs nothing, asks nobody, and has no origin of ours. Pages of other sites may show it. */
const headers = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** What one network may ask in a minute: all of it, and what shows a link that is not valid. An office has room: browsers keep the files that they have. */
const bounds = { perNetwork: 6_000, unprovenPerNetwork: 1_000 };

const windowSeconds = 60;

const tooMany = 'Too many files are read from your network. Wait a moment.';

/** Files by their signed links, at {base_url}/media/<id>/<name>. Whoever has a link may read the file: there is no other credential. */
export const mediaDoor = (deps: ApiDeps, share: Middleware<Partial<ApiState>>): Door => {
  const router = createRouter();
  const ofNetworks = createTryBudget({ tries: bounds.perNetwork, windowSeconds });
  const unprovenOfNetworks = createTryBudget({ tries: bounds.unprovenPerNetwork, windowSeconds });
  router.get('/:id/:name', async (ctx) => {
    const network = networkOf(ctx.state.clientAddress ?? '');
    takeTry(ctx, ofNetworks, network, tooMany);
    takeTry(ctx, unprovenOfNetworks, network, tooMany);
    const { expires, signature, size } = parseQuery(ctx, linkQuery);
    const id = parseId(mediaNoun, ctx.params['id'] ?? '');
    const secondsLeft = id && deps.media.secondsLeft(id, { expires, signature });
    // One answer for all: nobody learns by a wrong link which files there are.
    if (id === undefined || !secondsLeft)
      throw new RequestError(
        'forbidden',
        'This link is not valid, or has expired. Read the message again for a new one.',
      );
    unprovenOfNetworks.giveBack(network);
    const file = await findLinkedMedia(deps.db, id);
    if (!file) throw notFound('file');
    const { accountId, plan } = file;
    ctx.state.principal = { accountId, plan };
    await share(ctx, async () => {
      ctx.set({ ...headers, 'Cache-Control': `private, max-age=${secondsLeft}, immutable` });
      const keys = keysOf({ accountId, id });
      if (size === undefined) await send(ctx, deps, { ...file, key: keys.file, mime: mimeOf(file) });
      else if (file.hasThumbnail) await sendThumbnail(ctx, deps, keys.thumbnail);
      else throw notFound('thumbnail');
    });
  });
  return {
    side: 'base',
    url: deps.config.baseUrl,
    prefix: '/media',
    security: undefined,
    guards: [],
    variants: [],
    resources: [],
    pages: [router],
  };
};

/** A plain file is bytes to a browser, whatever is in it. */
const mimeOf = ({ type, contentType }: { type: string; contentType: string }): string =>
  type === 'file' ? 'application/octet-stream' : contentType;

const sendThumbnail = async (ctx: ApiContext, { media: { store } }: ApiDeps, key: string): Promise<void> => {
  ctx.type = 'image/webp';
  if (ctx.method === 'HEAD') return void (ctx.status = 200);
  const stream = await store.open(key);
  if (!stream) throw notFound('thumbnail');
  ctx.body = stream;
  return undefined;
};

type Sent = { key: string; type: string; mime: string; name: string; bytes: number };

const send = async (
  ctx: ApiContext,
  { media: { store } }: ApiDeps,
  { key, type, mime, name, bytes }: Sent,
): Promise<void> => {
  ctx.set({
    'Accept-Ranges': 'bytes',
    'Content-Disposition': `${type === 'file' ? 'attachment' : 'inline'}; filename*=UTF-8''${encodeName(name)}`,
  });
  const range = readRange(ctx.get('range'), bytes);
  if (range === 'outside') {
    ctx.status = 416;
    ctx.set('Content-Range', `bytes */${bytes}`);
    ctx.body = null;
    ctx.status = 416;
    return;
  }
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  ctx.status = range ? 206 : 200;
  if (range) ctx.set('Content-Range', `bytes ${start}-${end}/${bytes}`);
  ctx.set('Content-Type', mime);
  if (ctx.method === 'HEAD') {
    ctx.length = end - start + 1;
    return;
  }
  const stream = await store.open(key, { start, end });
  if (!stream) throw notFound('file');
  ctx.body = stream;
  ctx.set('Content-Type', mime);
  ctx.length = end - start + 1;
};

/** As RFC 8187 has it: `encodeURIComponent` leaves some characters that end a value. */
const encodeName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*!]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** One range of bytes; undefined where none is asked for, or several are, which are answered by the whole file. */
const readRange = (header: string, bytes: number): ByteRange | 'outside' | undefined => {
  const [, first = '', last = ''] = /^bytes=(\d{0,12})-(\d{0,12})$/.exec(header) ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return start > end || start >= bytes ? 'outside' : { start, end };
};

/** A file that whoever has its link may read, with the account that has it. */
const findLinkedMedia = async (
  sql: Sql,
  id: string,
): Promise<(MediaRow & { accountId: string; plan: Plan }) | undefined> => {
  const [row] = await sql<(MediaRow & { accountId: string; plan: Plan })[]>`
    select m.id, m.type, m.name, m.content_type, m.bytes, m.width, m.height, m.has_thumbnail, m.created_at, m.account_id, a.plan
    from media m join accounts a on a.id = m.account_id where m.id = ${id} and m.state = 'stored'`;
  return row;
};
