import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** OWASP's settings for argon2id: 19 MiB, two passes, one lane. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The argon2id hash of a password, in its self-describing text form. */
export const hashPassword = (password: string): Promise<string> => hash(password, options);

/** Whether the password is the one that was hashed. */
export const verifyPassword = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, password);

/** A password of ours: 120 random bits in 20 characters. */
export const createPassword = (): string => randomBytes(15).toString('base64url');
