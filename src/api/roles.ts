import { RequestError } from '../shared/errors.ts';
import type { Principal } from './http.ts';

/**
 * Settings (webhooks, their secret, API keys) are the owner's and the editors'; agents answer contacts. An API key acts for
 * the account and has no role. Throws `forbidden`.
 */
export const requireEditor = ({ role }: Principal): void => {
  if (role === 'agent') throw new RequestError('forbidden', 'This needs the role editor or owner.');
};
