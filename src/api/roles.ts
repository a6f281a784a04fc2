import { RequestError } from '../shared/errors.ts';
import type { Principal } from './http.ts';

/** Whether it is one whom settings are open to: see `requireEditor`. */
export const isEditor = ({ role }: Principal): boolean => role !== 'agent';

/**
 * Settings (webhooks, their secret, API keys) are the owner's and the editors'; agents answer contacts. An API key acts for
 * the account and has no role. Throws `forbidden`.
 */
export const requireEditor = (principal: Principal): void => {
  if (!isEditor(principal)) throw new RequestError('forbidden', 'This needs the role editor or owner.');
};

/** The signed-in user and its session, where only such a one is let in. */
export const requireUser = ({ userId, sessionId }: Principal): { userId: string; sessionId: string } => {
  if (userId === undefined || sessionId === undefined) throw new RequestError('forbidden', 'This needs a session.');
  return { userId, sessionId };
};
