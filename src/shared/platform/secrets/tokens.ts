import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A random token with a readable prefix, 256 bits of it random. */
export const createToken = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`;

/** The SHA-256 of a token, which the database stores instead. A fast hash is enough, because the whole token is random. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Compares in constant time. Texts of different lengths are unequal, which reveals only the length. */
export const equalSecrets = (a: string, b: string): boolean => {
  const [left, right] = [hashToken(a), hashToken(b)];
  return timingSafeEqual(left, right);
};
