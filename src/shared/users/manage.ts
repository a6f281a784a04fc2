import { unassignUser } from '../messages/conversations/assign.ts';
import { found, RequestError } from '../errors.ts';
import { unassignHandovers } from '../handovers/assign.ts';
import type { Sql } from '../platform/db/connect.ts';
import { changed } from '../facts/changed.ts';
import type { EventTransaction, Writer } from '../facts/tell.ts';
import { lockUsers, type ByOwner } from './lock-users.ts';
import { userColumns } from './queries.ts';
import type { UserChanges, UserRow } from './schema.ts';

/** What has users of the account look after it: each takes a user who leaves off everything. A new noun of that kind adds its line. */
const departures: readonly ((tx: EventTransaction, user: { accountId: string; userId: string }) => Promise<void>)[] = [
  unassignUser,
  unassignHandovers,
];

/** Changes a user's name or role. The role counts from the user's next request on. Throws `not_found`, and `conflict` for the last owner. */
export const changeUser = async (
  { sql, tell }: EventTransaction,
  { id, role, name, ...owner }: ByOwner & UserChanges & { id: string },
): Promise<UserRow> => {
  await lockUsers(sql, owner);
  if (role !== undefined && role !== 'owner') await keepAnOwner(sql, { accountId: owner.accountId, without: id });
  const [user] = await sql<UserRow[]>`
    update users set role = coalesce(${role ?? null}, role), name = coalesce(${name ?? null}, name)
    where id = ${id} and account_id = ${owner.accountId}
    returning ${userColumns(sql)}`;
  await tell(changed(owner.accountId, 'users'));
  return found('user', user);
};

/** Sets the name of a user, a UUID. Undefined when there is no such user. */
export const setName = async (
  { sql, tell }: Writer,
  { userId, name }: { userId: string; name: string },
): Promise<UserRow | undefined> => {
  const [user] = await sql<(UserRow & { accountId: string })[]>`
    update users set name = ${name} where id = ${userId} returning account_id, ${userColumns(sql)}`;
  if (user) await tell(changed(user.accountId, 'users'));
  return user;
};

/**
 * Removes a user. Its sessions end with it, and nobody looks after what it looked after; its notes stay. Throws `not_found`, and `conflict`
 * for the last owner.
 */
export const removeUser = async (tx: EventTransaction, { id, ...owner }: ByOwner & { id: string }): Promise<void> => {
  const { sql } = tx;
  const { accountId } = owner;
  await lockUsers(sql, owner);
  await keepAnOwner(sql, { accountId, without: id });
  // First, because whoever assigns something to the user holds the user's row.
  const [user] = await sql`delete from users where id = ${id} and account_id = ${accountId} returning id`;
  found('user', user);
  for (const leave of departures) await leave(tx, { accountId, userId: id });
  await tx.tell(changed(accountId, 'users', 'sessions'));
};

/** Throws `conflict` when this user is the only owner of the account. */
const keepAnOwner = async (sql: Sql, { accountId, without }: { accountId: string; without: string }): Promise<void> => {
  const owners = await sql<{ id: string }[]>`
    select id from users where account_id = ${accountId} and role = 'owner' limit 2`;
  if (owners.length === 1 && owners[0]?.id === without)
    throw new RequestError('conflict', 'This is the only owner. Make another user an owner first.');
};
