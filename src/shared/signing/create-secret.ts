import { randomBytes } from 'node:crypto';

/** Creates a secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const createSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
