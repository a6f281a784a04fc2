import { changeUser, removeUser, setName } from '../../shared/users/manage.ts';
import { listUsers } from '../../shared/users/queries.ts';
import { profileChanges, showUser, userBody, userChanges } from '../../shared/users/schema.ts';
import { found } from '../../shared/errors.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { listOf, listQuery, showPage } from '../lists.ts';
import { requireUser } from '../roles.ts';

export const usersTag = {
  name: 'Users',
  description: 'Users of the dashboard, their roles, and invitations.',
} as const;

/** Who signs in to the dashboard of an account. */
export const userRoutes = (deps: ApiDeps): Resource => {
  const users = createResource(deps, { tag: usersTag, doors: ['dashboard'] });
  endpoint(
    users,
    {
      id: 'listUsers',
      method: 'get',
      path: '/users',
      summary: 'List the users of the account',
      role: 'agent',
      query: listQuery,
      answers: { 200: listOf(userBody) },
    },
    ({ principal: { accountId }, query }) =>
      showPage(query, (page) => deps.reads(accountId, (sql) => listUsers(sql, accountId, page)), showUser),
  );
  endpoint(
    users,
    {
      id: 'changeUser',
      method: 'patch',
      path: '/users/:id',
      summary: 'Change the name or the role of a user',
      description: "A new role takes effect with the user's next request.",
      role: 'owner',
      noun: 'user',
      body: userChanges,
      answers: { 200: userBody },
      refusals: { 409: 'Where the account would be left without an owner.' },
    },
    async ({ principal, id, body }) => {
      const { accountId } = principal;
      const by = requireUser(principal).userId;
      return showUser(await deps.transact((tx) => changeUser(tx, { accountId, by, id, ...body })));
    },
  );
  endpoint(
    users,
    {
      id: 'changeProfile',
      method: 'patch',
      path: '/profile',
      summary: 'Change your own name',
      role: 'agent',
      body: profileChanges,
      answers: { 200: userBody },
    },
    async ({ principal, body: { name } }) => {
      const { userId } = requireUser(principal);
      return showUser(found('user', await deps.transact((tx) => setName(tx, { userId, name }))));
    },
  );
  endpoint(
    users,
    {
      id: 'removeUser',
      method: 'delete',
      path: '/users/:id',
      summary: 'Remove a user from the account',
      description: "Ends the user's sessions at once. The user's conversations become unassigned. Notes stay.",
      role: 'owner',
      noun: 'user',
      answers: { 204: null },
      refusals: { 409: 'For the only owner.' },
    },
    async ({ principal, id }) => {
      const { accountId } = principal;
      const by = requireUser(principal).userId;
      await deps.transact((tx) => removeUser(tx, { accountId, by, id }));
    },
  );
  return users;
};
