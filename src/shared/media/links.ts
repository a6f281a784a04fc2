import { createHmac, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { MasterKey, Secrets } from '../platform/secrets/seal.ts';
import { showId } from '../ids.ts';
import { mediaNoun, type LinkTo } from './schema.ts';

/** A link holds for so long at least, in seconds. */
const validSeconds = 3_600;

/** Links made within so many seconds are the same one, so that browsers find the file in their cache. */
const sameSeconds = 900;

/** Signs links to files, and checks them. Links of a master key that is being replaced hold while that opens. */
export type MediaLinks = {
  linkTo: LinkTo;
  /** The seconds for which a link to a file, a UUID, still holds; undefined for one that was never made or has expired. */
  secondsLeft: (id: string, given: { expires: string; signature: string }) => number | undefined;
};

export const createMediaLinks = (
  secrets: Pick<Secrets, 'keys'>,
  { baseUrl, now = Date.now }: { baseUrl: string; now?: () => number },
): MediaLinks => {
  const derived = new WeakMap<KeyObject, Buffer>();
  const keyOf = ({ key }: MasterKey): Buffer => {
    const known = derived.get(key) ?? Buffer.from(hkdfSync('sha256', key, '', 'parley/media-links', 32));
    derived.set(key, known);
    return known;
  };
  const sign = (key: MasterKey, id: string, expires: string): Buffer =>
    Buffer.concat([key.id, createHmac('sha256', keyOf(key)).update(`${id}.${expires}`).digest()]);
  const nowSeconds = (): number => Math.floor(now() / 1_000);
  return {
    linkTo: ({ id, name, hasThumbnail }) => {
      const expires = String(Math.ceil((nowSeconds() + validSeconds) / sameSeconds) * sameSeconds);
      const signature = sign(secrets.keys.current(), id, expires).toString('base64url');
      const url = `${baseUrl}/media/${showId(mediaNoun, id)}/${encodeURIComponent(name)}?expires=${expires}&signature=${signature}`;
      return { url, thumbnail: hasThumbnail ? `${url}&size=thumbnail` : null };
    },
    secondsLeft: (id, { expires, signature }) => {
      if (!/^\d{1,12}$/.test(expires)) return undefined;
      const given = Buffer.from(signature, 'base64url');
      const key = secrets.keys.find(given.subarray(0, 4));
      if (!key) return undefined;
      const right = sign(key, id, expires);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      const left = Number(expires) - nowSeconds();
      return left > 0 ? left : undefined;
    },
  };
};
