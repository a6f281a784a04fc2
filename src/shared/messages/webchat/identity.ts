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

/** The hash by which it also vouches for the e-mail address of the visitor. */
export const hashEmail = (
  secret: string,
  { external_id: id, expires_at: expires, email }: Pick<Identity, 'external_id' | 'expires_at' | 'email'>,
): string => createHmac('sha256', secret).update(`${id}.${expires}.${email}`).digest('hex');

/** Why an identity is refused; undefined for one that holds at `now`, in ms. The secret before the present one is good for a day. */
export const whyRefused = (
  { secret, previousSecret }: SigningSecrets,
  identity: Identity,
  now: number,
): 'hash' | 'email_hash' | 'expired' | 'far' | undefined => {
  const isOf = (hash: (key: string) => string, given: string): boolean => {
    const byPresent = equalSecrets(hash(secret), given.toLowerCase());
    return equalSecrets(hash(previousSecret ?? secret), given.toLowerCase()) || byPresent;
  };
  if (!isOf((key) => hashIdentity(key, identity), identity.hash)) return 'hash';
  const { email_hash: emailHash } = identity;
  if (emailHash && !(identity.email && isOf((key) => hashEmail(key, identity), emailHash))) return 'email_hash';
  const aheadSeconds = identity.expires_at - now / 1_000;
  if (aheadSeconds <= 0) return 'expired';
  return aheadSeconds > aheadAtMost + clocksDiffer ? 'far' : undefined;
};
