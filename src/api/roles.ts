import type { Role } from '../shared/accounts/schema.ts';
import { RequestError } from '../shared/errors.ts';
import type { Principal } from './http.ts';

/** From the one who may least to the one who may all: agents answer contacts, settings are the editors' and the owner's. */
const ascending = ['agent', 'editor', 'owner'] as const satisfies readonly Role[];

/** Whether it may do what this role may, at least. An API key acts for the account as an editor. */
export const mayAs = (least: Role, { role = 'editor' }: Principal): boolean =>
  ascending.indexOf(role) >= ascending.indexOf(least);

/** Throws `forbidden` for whoever may less than this role. */
export const requireRole = (least: Role, principal: Principal): void => {
  if (!mayAs(least, principal)) throw new RequestError('forbidden', `This needs ${sayRole(least)}.`);
};

/** "the role editor or owner". */
export const sayRole = (least: Role): string => `the role ${ascending.slice(ascending.indexOf(least)).join(' or ')}`;

/** The signed-in user and its session, where only such a one is let in. */
export const requireUser = ({ userId, sessionId }: Principal): { userId: string; sessionId: string } => {
  if (userId === undefined || sessionId === undefined) throw new RequestError('forbidden', 'This needs a session.');
  return { userId, sessionId };
};
