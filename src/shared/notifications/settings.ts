import { RequestError } from '../errors.ts';
import { changed } from '../facts/changed.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { EventTransaction } from '../facts/tell.ts';
import { firstSettings, type NotificationSettings } from './schema.ts';
import { scopes } from './scopes.ts';

/** The most users of an account who get mails about messages that nobody has seen. */
export const mailedUsersAtMost = 100;

/** The settings of a user, a UUID. */
export const findNotificationSettings = async (sql: Sql, userId: string): Promise<NotificationSettings> => {
  const [row] = await sql<{ settings: NotificationSettings }[]>`
    select settings from notification_settings where user_id = ${userId}`;
  return row?.settings ?? firstSettings;
};

/** Replaces the settings of a user of the account. Throws `conflict` where as many users as can have mails do so already. */
export const setNotificationSettings = async (
  { sql, tell }: EventTransaction,
  { accountId, userId, settings }: { accountId: string; userId: string; settings: NotificationSettings },
): Promise<void> => {
  const minutes = scopes.flatMap((scope) => settings[scope].mail_after_minutes ?? []);
  const mailMinutes = minutes.length === 0 ? null : Math.min(...minutes);
  if (mailMinutes !== null) await requireRoom(sql, { accountId, userId });
  await sql`
    insert into notification_settings (user_id, account_id, settings, mail_minutes)
    values (${userId}, ${accountId}, ${sql.json(settings)}, ${mailMinutes})
    on conflict (user_id) do update set settings = excluded.settings, mail_minutes = excluded.mail_minutes`;
  await tell(changed(accountId, 'users'));
};

/** Ends the mails about unseen messages to a user of the account, a UUID. All else that they have chosen stays. */
export const endMails = async (
  { sql, tell }: EventTransaction,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<void> => {
  await sql`
    update notification_settings set mail_minutes = null, settings = settings || (
      select jsonb_object_agg(scope, settings -> scope || '{"mail_after_minutes": null}') from unnest(${[...scopes]}::text[]) as scope)
    where user_id = ${userId} and account_id = ${accountId}`;
  await tell(changed(accountId, 'users'));
};

const requireRoom = async (sql: Sql, { accountId, userId }: { accountId: string; userId: string }): Promise<void> => {
  // Users who ask at the same time are counted one after the other.
  await sql`select from accounts where id = ${accountId} for no key update`;
  const { count } = await sql`
    select from notification_settings where account_id = ${accountId} and mail_minutes is not null and user_id <> ${userId}`;
  if (count >= mailedUsersAtMost)
    throw new RequestError('conflict', `Already ${mailedUsersAtMost} users of the account get these mails.`);
};
