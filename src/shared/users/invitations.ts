import { refuseTakenEmail } from '../accounts/taken-email.ts';
import { usersPerAccount, type Role } from '../accounts/schema.ts';
import { conflictWith, found, RequestError } from '../errors.ts';
import { insertLinkMail } from '../mail/queries.ts';
import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import { changed } from '../facts/changed.ts';
import type { EventTransaction } from '../facts/tell.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import { badToken, createLinkToken, isGood } from './link-tokens.ts';
import { lockUsers, type ByOwner } from './lock-users.ts';
import { createInvitationMail } from './mails.ts';
import type { InvitationPreview, InvitationRow, NewUser } from './schema.ts';

/** Null until the mail is sent, from when on its link is good for a while. */
const expiresAt = (sql: Sql) =>
  sql`(select max(t.expires_at) from link_tokens t where t.invitation_id = invitations.id) as expires_at`;

/** The newest mail decides; when that was sent, its link does. */
const state = (sql: Sql) => sql`
  case (select m.status from mails m where m.link_to = invitations.id order by m.created_at desc limit 1)
    when 'pending' then 'sending' when 'pending_link' then 'sending' when 'refused' then 'failed'
    else case when exists (
      select from link_tokens t where t.invitation_id = invitations.id and t.expires_at > clock_timestamp())
      then 'sent' else 'expired' end
  end as state`;

const columns = (sql: Sql) => sql`id, email, name, role, invited_by, created_at, ${state(sql)}, ${expiresAt(sql)}`;

/** An account's invitations that nobody has accepted, newest first. */
export const listInvitations = (sql: Sql, accountId: string, page: Page): Promise<InvitationRow[]> => sql<
  InvitationRow[]
>`
  select ${columns(sql)} from invitations where account_id = ${accountId} ${pageOf(sql, page)}`;

/**
 * Invites somebody by mail. Throws `conflict` for a user of the account, for one who is invited, and where the account is full. Nobody learns
 * by inviting whether an e-mail address belongs to a user of another account.
 */
export const invite = async (
  tx: EventTransaction,
  { email, name, role, baseUrl, ...owner }: ByOwner & NewUser & { baseUrl: string },
): Promise<InvitationRow> => {
  const { sql } = tx;
  const { accountId, by } = owner;
  await lockUsers(sql, owner);
  await refuseKnown(sql, { accountId, email });
  const [invitation] = await sql<[{ id: string }]>`
    insert into invitations (account_id, email, name, role, invited_by)
    values (${accountId}, ${email}, ${name ?? null}, ${role}, ${by}) returning id`;
  await sendInvitation(tx, { accountId, id: invitation.id, baseUrl });
  await tx.tell(changed(accountId, 'invitations'));
  return getInvitation(sql, { accountId, id: invitation.id });
};

const refuseKnown = async (sql: Sql, { accountId, email }: { accountId: string; email: string }): Promise<void> => {
  const [known] = await sql<[{ userId: string | null; invitationId: string | null; count: number }]>`
    select
      (select id from users where account_id = ${accountId} and lower(email collate "C") = ${email} limit 1) as user_id,
      (select id from invitations where account_id = ${accountId} and email = ${email}) as invitation_id,
      ((select count(*) from users where account_id = ${accountId})
        + (select count(*) from invitations where account_id = ${accountId}))::int as count`;
  const { userId, invitationId, count } = known;
  const key = 'email';
  if (userId !== null)
    throw conflictWith('This address belongs to a user of the account.', { noun: 'user', id: userId, key });
  if (invitationId !== null) {
    const message = 'This address is already invited. Send the invitation again.';
    throw conflictWith(message, { noun: 'invitation', id: invitationId, key });
  }
  if (count >= usersPerAccount)
    throw new RequestError('conflict', `An account has at most ${usersPerAccount} users and invitations.`);
};

/** Sends the mail of an invitation again; links that were sent before stay good. Throws `not_found`. */
export const inviteAgain = async (
  tx: Transaction,
  { id, baseUrl, ...owner }: ByOwner & { id: string; baseUrl: string },
): Promise<InvitationRow> => {
  const { accountId } = owner;
  await lockUsers(tx.sql, owner);
  await getInvitation(tx.sql, { accountId, id });
  await sendInvitation(tx, { accountId, id, baseUrl });
  return getInvitation(tx.sql, { accountId, id });
};

const getInvitation = async (
  sql: Sql,
  { accountId, id }: { accountId: string; id: string },
): Promise<InvitationRow> => {
  const [invitation] = await sql<InvitationRow[]>`
    select ${columns(sql)} from invitations where id = ${id} and account_id = ${accountId}`;
  return found('invitation', invitation);
};

/**
 * Makes a link that accepts an invitation, for an owner who hands it on. Only its hash is stored, so each call makes another one; the three latest
 * links are good, those of mails included. Throws `not_found`.
 */
export const createInvitationLink = async (
  { sql }: Transaction,
  { id, baseUrl, ...owner }: ByOwner & { id: string; baseUrl: string },
): Promise<{ url: string; expiresAt: Date }> => {
  await lockUsers(sql, owner);
  await getInvitation(sql, { accountId: owner.accountId, id });
  const token = found('invitation', await createLinkToken(sql, { kind: 'invitation', to: id }));
  const [{ expiresAt }] = await sql<[{ expiresAt: Date }]>`
    select max(expires_at) as expires_at from link_tokens where invitation_id = ${id}`;
  return { url: `${baseUrl}/invitation#${token}`, expiresAt };
};

/** What the holder of a link is invited to. Throws 422 for a token that is not good. */
export const previewInvitation = async (sql: Sql, token: string): Promise<InvitationPreview> => {
  const [invitation] = await sql<InvitationPreview[]>`
    select i.email, i.name, i.role, a.name as account_name
    from link_tokens join invitations i on i.id = invitation_id join accounts a on a.id = i.account_id
    where ${isGood(sql, token)}`;
  if (!invitation) throw badToken();
  return invitation;
};

const sendInvitation = async (
  tx: Transaction,
  { accountId, id, baseUrl }: { accountId: string; id: string; baseUrl: string },
): Promise<void> => {
  const [told] = await tx.sql<InvitationPreview[]>`
    select i.email, i.name, i.role, a.name as account_name from invitations i join accounts a on a.id = i.account_id
    where i.id = ${id}`;
  if (told) await insertLinkMail(tx, createInvitationMail({ ...told, accountId, id }, { baseUrl }));
};

/** Withdraws an invitation: its links are worth nothing any more. Throws `not_found`. */
export const withdrawInvitation = async (
  { sql, tell }: EventTransaction,
  { id, ...owner }: ByOwner & { id: string },
): Promise<void> => {
  await lockUsers(sql, owner);
  const [gone] = await sql`
    delete from invitations where id = ${id} and account_id = ${owner.accountId} returning id`;
  found('invitation', gone);
  await tell(changed(owner.accountId, 'invitations'));
};

/**
 * Makes the user who was invited, and answers its UUID. The invitation is gone with that, so that it is accepted once. Throws 422 for a token that
 * is not good, and `conflict` where the e-mail address belongs to a user of another account.
 */
export const acceptInvitation = async (
  { sql, tell }: EventTransaction,
  { token, passwordHash, name: chosen }: { token: string; passwordHash: string; name?: string | undefined },
): Promise<string> => {
  const [invitation] = await sql<{ accountId: string; email: string; name: string | null; role: Role }[]>`
    delete from invitations where id = (select invitation_id from link_tokens where ${isGood(sql, token)})
    returning account_id, email, name, role`;
  if (!invitation) throw badToken();
  const { accountId, email, name, role } = invitation;
  const [user] = await sql<{ id: string }[]>`
    insert into users (account_id, email, name, password_hash, role)
    values (${accountId}, ${email}, ${chosen ?? name}, ${passwordHash}, ${role}) returning id`.catch(refuseTakenEmail);
  await tell(changed(accountId, 'invitations', 'users'));
  return found('user', user).id;
};
