import { RequestError } from '../errors.ts';
import { createBulkhead } from '../platform/bulkhead/bulkhead.ts';
import { createShares, NoSlot } from '../platform/bulkhead/shares.ts';
import type { Database, Sql } from '../platform/db/connect.ts';
import type { Logger } from '../platform/log.ts';
import { createThreads } from '../platform/threads/threads.ts';
import { showId } from '../ids.ts';
import { cleanName } from './clean-name.ts';
import { largest, largestOfAll } from './limits.ts';
import { createLookInto, images, type Content } from './look-on-thread.ts';
import { completeMedia, insertMedia, isQuotaFull, isVisitorsShareFull, type MediaQuota } from './queries.ts';
import { dropMedia } from './remove-media.ts';
import type { MediaRow } from './schema.ts';
import { keysOf, readHead, type MediaStore } from './store.ts';

/** A file as it comes. `bytes` is what its sender says of its size, if it does; what it says of its type is not asked for. */
type Coming = {
  accountId: string;
  name: string | undefined;
  /** The visitor of a webchat who sends it, a UUID. */
  visitorId?: string;
  bytes: number | undefined;
  chunks: AsyncIterable<Uint8Array>;
};

/** `write` runs statements in the account's share of connections. */
type Deps = { db: Database; write: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result> };

/** Takes files of accounts. */
export type TakeMedia = (deps: Deps, coming: Coming) => Promise<MediaRow>;

/** The most files that come in at a time: an account alone has a third of them. */
const comingAtMost = 40;

/** The same of visitors of webchats, who keep nobody else from it: an account alone has half of them, and a visitor two. */
const ofVisitorsAtMost = { total: 20, perKey: 2 };

/** How often it is logged that an account has no room, in ms, and for how many accounts that is kept. */
const logEveryMs = 3_600_000;
const loggedAtMost = 10_000;

/** So much tells of what type a file is. */
const headBytes = 64 * 1024;

const mebibyte = 1024 * 1024;

/**
 * Takes files: the row first, then the file, then what is in it. A file that is refused, or whose sender hangs up, leaves nothing. Throws
 * `payload_too_large`, `conflict` where the account has no room, `invalid_request` for an empty one, and `rate_limited` while too many come in.
 * It logs `media.no_room`, once an hour for an account.
 */
export const createTakeMedia = ({
  store,
  quota,
  log,
}: {
  store: MediaStore;
  quota: MediaQuota;
  log?: Logger | undefined;
}) => {
  // Threads of its own: a large image holds up no check of a flow. Loading the decoder takes CPU time as well.
  const threads = createThreads({ threads: 2, cpuMs: 3_000, maxWaiting: comingAtMost });
  const lookInto = createLookInto(threads);
  // No more than two files are in memory: each may have 10 MiB.
  const looks = createShares({ total: 2, perKey: 1, patienceMs: 20_000, waitingPerAccount: comingAtMost });
  const slots = createBulkhead({ total: comingAtMost });
  const slotsOfVisitors = createBulkhead(ofVisitorsAtMost);

  const refusedAt = new Map<string, number>();

  const noRoom = (accountId: string): RequestError => {
    const now = performance.now();
    const before = refusedAt.get(accountId);
    if (log && (before === undefined || now - before > logEveryMs)) {
      if (refusedAt.size > loggedAtMost) refusedAt.clear();
      refusedAt.set(accountId, now);
      log.warn({ account_id: showId('account', accountId) }, 'media.no_room');
    }
    return new RequestError(
      'conflict',
      `The account has no room for this file: it may keep ${Math.floor(quota.bytes / mebibyte)} MiB in ${quota.files} files.`,
    );
  };

  const look = async (accountId: string, key: string, bytes: number): Promise<Content> => {
    const isWhole = bytes <= largest.image;
    // The head alone tells whether more is to be read.
    const head = await readHead(store, key, headBytes);
    const first = head && (await lookInto(accountId, { bytes: head, isWhole: bytes <= headBytes }));
    if (!first) throw busy();
    if (!images.has(first.contentType) || bytes <= headBytes) return first;
    if (!isWhole) throw tooLarge(largest.image);
    const whole = await readHead(store, key, largest.image);
    const second = whole && (await lookInto(accountId, { bytes: whole, isWhole }));
    if (!second) throw busy();
    return second;
  };

  const take: TakeMedia = async ({ db, write }, { accountId, name, visitorId, bytes: told = 0, chunks }) => {
    if (told > largestOfAll) throw tooLarge(largestOfAll);
    const asked = { bytes: told, quota };
    if (await isQuotaFull(db, accountId, asked)) throw noRoom(accountId);
    if (visitorId !== undefined && (await isVisitorsShareFull(db, { accountId, visitorId }, asked)))
      throw new RequestError('rate_limited', 'Visitors have sent as many files today as they may. Try again tomorrow.');
    const id = await write((sql) => insertMedia(sql, { accountId, name: cleanName(name), visitorId }));
    const keys = keysOf({ accountId, id });
    try {
      const counted = { bytes: 0 };
      await store.put(keys.file, boundedBy(chunks, counted));
      const { bytes } = counted;
      if (bytes === 0) throw new RequestError('invalid_request', 'The file is empty.');
      const content = await looks
        .take({ accountId, key: visitorId === undefined ? accountId : `visitors of ${accountId}` }, () =>
          look(accountId, keys.file, bytes),
        )
        .catch(refuseWithoutSlot);
      if (bytes > largest[content.type]) throw tooLarge(largest[content.type]);
      if (content.thumbnail) await store.put(keys.thumbnail, only(content.thumbnail));
      const row = await write((sql) => completeMedia(sql, { accountId, id }, { content, bytes, quota }));
      if (!row) throw noRoom(accountId);
      return row;
    } catch (error) {
      await dropMedia({ db, store }, { accountId, id });
      throw error;
    }
  };

  return {
    take: (async (deps, coming) => {
      const { accountId, visitorId } = coming;
      const lane = { accountId, key: visitorId ?? accountId };
      const places = visitorId === undefined ? slots : slotsOfVisitors;
      if (!places.take(lane)) throw busy();
      try {
        return await take(deps, coming);
      } finally {
        places.release(lane);
      }
    }) satisfies TakeMedia,
    stop: threads.stop,
  };
};

async function* boundedBy(chunks: AsyncIterable<Uint8Array>, counted: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    counted.bytes += chunk.length;
    if (counted.bytes > largestOfAll) throw tooLarge(largestOfAll);
    yield chunk;
  }
}

// oxlint-disable-next-line require-await -- a store takes what comes in parts
async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const tooLarge = (most: number): RequestError =>
  new RequestError('payload_too_large', `The file is larger than ${most / mebibyte} MiB.`);

const refuseWithoutSlot = (error: unknown): never => {
  throw error instanceof NoSlot ? busy() : error;
};

const busy = (): RequestError =>
  new RequestError('rate_limited', 'The account sends too many files at once. Try again when some are done.');
