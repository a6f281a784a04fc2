import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A random token with a readable prefix, 256 bits of it random. */
export const createToken = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`;

/** SHA-256 of a token: enough for what is random over its whole length, and what the database stores instead of it. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Compares in constant time; texts of different lengths are unequal, which tells no more than the length. */
export const equalSecrets = (a: string, b: string): boolean => {
  const [left, right] = [hashToken(a), hashToken(b)];
  return timingSafeEqual(left, right);
};
