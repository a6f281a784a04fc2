import type { Role } from '../shared/accounts/schema.ts';
import { RequestError } from '../shared/errors.ts';
import type { Principal } from './principal.ts';

/** The roles, from the one that may do least. Agents answer contacts; settings belong to editors and owners. */
const ascending = ['agent', 'editor', 'owner'] as const satisfies readonly Role[];

/** Whether the principal has at least this role. An API key acts as an editor. */
export const mayAs = (least: Role, { role = 'editor' }: Partial<Principal>): boolean =>
  ascending.indexOf(role) >= ascending.indexOf(least);

/** Throws `forbidden` for a lesser role. */
export const requireRole = (least: Role, principal: Principal): void => {
  if (!mayAs(least, principal)) throw new RequestError('forbidden', `This needs ${sayRole(least)}.`);
};

/** "the role editor or owner". */
export const sayRole = (least: Role): string => `the role ${ascending.slice(ascending.indexOf(least)).join(' or ')}`;

/** The signed-in user and its session. Throws for an API key. */
export const requireUser = ({ userId, sessionId }: Principal): { userId: string; sessionId: string } => {
  if (userId === undefined || sessionId === undefined) throw new RequestError('forbidden', 'This needs a session.');
  return { userId, sessionId };
};
