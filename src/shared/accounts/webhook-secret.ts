import { randomBytes } from 'node:crypto';

/** A secret of ours in the form that Standard Webhooks' verifiers take: `whsec_` and 32 random bytes in base64. */
export const createWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
