import { createHmac } from 'node:crypto';
import { equalSecrets } from '../../platform/secrets/tokens.ts';
import type { SigningSecrets } from '../../signing/secrets.ts';
import type { Identity } from './schema.ts';

/** How far ahead an identity may expire, in seconds; a minute more is left for clocks that differ. */
const aheadAtMost = 24 * 60 * 60;
const clocksDiffer = 60;

/** The hash by which an account's server vouches for a visitor: in hex, keyed with the channel's identity secret. */
export const hashIdentity = (
  secret: string,
  { external_id: id, expires_at: expires }: Pick<Identity, 'external_id' | 'expires_at'>,
): string => createHmac('sha256', secret).update(`${id}.${expires}`).digest('hex');

/** Why an identity is refused; undefined for one that holds at `now`, in ms. The secret before the present one is good for a day. */
export const whyRefused = (
  { secret, previousSecret }: SigningSecrets,
  identity: Identity,
  now: number,
): 'hash' | 'expired' | 'far' | undefined => {
  const given = identity.hash.toLowerCase();
  const byPresent = equalSecrets(hashIdentity(secret, identity), given);
  const byPrevious = equalSecrets(hashIdentity(previousSecret ?? secret, identity), given);
  if (!byPresent && !byPrevious) return 'hash';
  const aheadSeconds = identity.expires_at - now / 1_000;
  if (aheadSeconds <= 0) return 'expired';
  return aheadSeconds > aheadAtMost + clocksDiffer ? 'far' : undefined;
};
