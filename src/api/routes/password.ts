import { changePassword, findPasswordHash } from '../../shared/accounts/change-password.ts';
import { newPasswordBody } from '../../shared/accounts/schema.ts';
import { invalid, RequestError } from '../../shared/errors.ts';
import { hashPassword, verifyPassword } from '../../shared/platform/secrets/passwords.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { openSession } from '../open-session.ts';
import { createPasswordSlots } from '../password-slots.ts';
import { requireUser } from '../roles.ts';
import { setSessionCookie } from '../session-cookie.ts';
import { createTryBudget, takeTry } from '../try-budget.ts';
import { sessionTag } from './session.ts';

/** Changes of a user's password in a quarter of an hour, for the right ones, too: each costs two passes of argon2. */
const tries = { tries: 10, windowSeconds: 15 * 60 };

/** The signed-in user's own password. */
export const passwordRoutes = (deps: ApiDeps): Resource => {
  const { db, transact, config } = deps;
  const password = createResource(deps, { tag: sessionTag, doors: ['dashboard'] });
  const ofUsers = createTryBudget(tries);
  const inSlot = createPasswordSlots();

  endpoint(
    password,
    {
      id: 'changePassword',
      method: 'put',
      path: '/password',
      summary: 'Change your password',
      description:
        'Ends all your sessions. This one continues with a new cookie, so that copies of the old cookie stop working.',
      role: 'agent',
      body: newPasswordBody,
      answers: { 204: null },
      refusals: { 409: 'The password was changed at the same moment. Try again.' },
    },
    async ({ ctx, principal, body }) => {
      const { userId } = requireUser(principal);
      takeTry(ctx, ofUsers, userId);
      const replaces = await findPasswordHash(db, userId);
      const passwordHash = await inSlot(userId, async () => {
        const isRight = replaces !== undefined && (await verifyPassword(replaces, body.current_password));
        return isRight ? hashPassword(body.new_password) : undefined;
      });
      if (replaces === undefined || passwordHash === undefined)
        throw invalid({ path: 'current_password', message: 'is not your password' });
      const token = await transact(async (tx) => {
        const isChanged = await changePassword(tx, { userId, passwordHash, replaces });
        if (!isChanged) throw new RequestError('conflict', 'The password was changed at the same moment. Try again.');
        return openSession(ctx, tx, { accountId: principal.accountId, userId });
      });
      setSessionCookie(ctx, config, token);
    },
  );
  return password;
};
