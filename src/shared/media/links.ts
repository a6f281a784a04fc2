import { createLinkSignatures } from '../platform/secrets/link-signatures.ts';
import type { Secrets } from '../platform/secrets/seal.ts';
import { showId } from '../ids.ts';
import { mediaNoun, type LinkTo } from './schema.ts';

/** A link holds for so long at least, in seconds. */
const validSeconds = 3_600;

/** The same for one that a flow gives away: a service may read the file after retries and in a queue of its own. */
const lastingSeconds = 24 * 3_600;

/** Links made within so many seconds are the same one, so that browsers find the file in their cache. */
const sameSeconds = 900;

/** Signs links to files, and checks them. Links of a master key that is being replaced hold while that opens. */
export type MediaLinks = {
  linkTo: LinkTo;
  /** Links for who cannot ask for a new one, as services that a flow calls: they hold for a day at least. */
  lastingLinkTo: LinkTo;
  /** The seconds for which a link to a file, a UUID, still holds; undefined for one that was never made or has expired. */
  secondsLeft: (id: string, given: { expires: string; signature: string }) => number | undefined;
};

export const createMediaLinks = (
  secrets: Pick<Secrets, 'keys'>,
  { baseUrl, now = Date.now }: { baseUrl: string; now?: () => number },
): MediaLinks => {
  const { sign, isRight } = createLinkSignatures(secrets, 'media-links');
  const nowSeconds = (): number => Math.floor(now() / 1_000);
  const linkFor =
    (seconds: number): LinkTo =>
    ({ id, name, hasThumbnail }) => {
      const expires = String(Math.ceil((nowSeconds() + seconds) / sameSeconds) * sameSeconds);
      const signature = sign(`${id}.${expires}`);
      const url = `${baseUrl}/media/${showId(mediaNoun, id)}/${encodeURIComponent(name)}?expires=${expires}&signature=${signature}`;
      return { url, thumbnail: hasThumbnail ? `${url}&size=thumbnail` : null };
    };
  return {
    linkTo: linkFor(validSeconds),
    lastingLinkTo: linkFor(lastingSeconds),
    secondsLeft: (id, { expires, signature }) => {
      if (!/^\d{1,12}$/.test(expires)) return undefined;
      if (!isRight(`${id}.${expires}`, signature)) return undefined;
      const left = Number(expires) - nowSeconds();
      return left > 0 ? left : undefined;
    },
  };
};
