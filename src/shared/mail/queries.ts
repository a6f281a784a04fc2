import type { Sql } from '../platform/db/connect.ts';
import { newUuid } from '../ids.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import type { LinkKind, MailEnd } from './types.ts';
import { mailWork } from './work.ts';

/** A mail to an account holder. A second mail with the same `dedupKey` is not written. One with a `page` ends in a link to that path. */
export type NewMail = {
  accountId: string;
  kind:
    | 'webhook_disabled'
    | 'flow_failing'
    | 'handover_requested'
    | 'credential_refused'
    | 'notification_test'
    | 'unseen_message'
    | 'visitor_answer';
  dedupKey: string;
  recipient: string;
  subject: string;
  body: string;
  page?: string;
  about?: MessageInMail;
};

/** The message that nobody has seen, for which a user gets a mail, or a visitor of a webchat; UUIDs. */
type MessageInMail = { conversationId: string; messageId: string } & (
  | { userId: string; visitorId?: never }
  | { visitorId: string; userId?: never }
);

/** A mail that ends in a link with a token. The link gets a token when the mail is sent, which is stored nowhere. */
export type NewLinkMail = {
  accountId: string;
  kind: LinkKind;
  recipient: string;
  subject: string;
  body: string;
  /** Without the token. */
  link: string;
  /** The UUID of the invitation or user. */
  linkTo: string;
};

export type Mail = {
  recipient: string;
  subject: string;
  body: string;
  createdAt: Date;
  /** `pending_link` is `pending` of a mail with a link, as 0.3 has written it. */
  status: 'pending' | 'pending_link' | MailEnd;
  /** The path that it leads to, if it does. */
  page: string | null;
  /** One with a token; undefined for a mail without. */
  link: { kind: LinkKind; url: string; to: string } | undefined;
  about: MessageInMail | undefined;
};

/** The sweep starts a mail's workflow that was not started within this many seconds. */
const startGraceSeconds = 5;

/** Writes a mail and asks for its workflow, in the transaction of what it reports. */
export const insertMail = async ({ sql, start }: Pick<Transaction, 'sql' | 'start'>, mail: NewMail): Promise<void> => {
  const [inserted] = await sql<{ id: string }[]>`
    insert into mails (account_id, kind, dedup_key, recipient, subject, body, link, user_id, visitor_id, conversation_id, message_id, sweep_at)
    values (${mail.accountId}, ${mail.kind}, ${mail.dedupKey}, ${mail.recipient}, ${mail.subject}, ${mail.body}, ${mail.page ?? null},
      ${mail.about?.userId ?? null}, ${mail.about?.visitorId ?? null}, ${mail.about?.conversationId ?? null}, ${mail.about?.messageId ?? null},
      clock_timestamp() + make_interval(secs => ${startGraceSeconds}))
    on conflict (dedup_key) do nothing
    returning id`;
  if (inserted) start(mailWork, { id: inserted.id, accountId: mail.accountId, resumes: 0 });
};

/** The pause between two mails with a link for the same thing. */
const linkMailPause = (sql: Sql) => sql`interval '5 minutes'`;

/**
 * The same of a mail with a link. Nothing is written, and what was sent before stays good, while the last mail for the same thing is younger than
 * five minutes. The caller has a lock of that thing.
 */
export const insertLinkMail = async ({ sql, start }: Transaction, mail: NewLinkMail): Promise<void> => {
  const { accountId, kind, recipient, subject, body, link, linkTo } = mail;
  const [inserted] = await sql<{ id: string }[]>`
    insert into mails (account_id, kind, dedup_key, recipient, subject, body, link, link_to, sweep_at)
    select ${accountId}, ${kind}, ${`${kind}/${newUuid()}`}, ${recipient}, ${subject}, ${body}, ${link}, ${linkTo},
      clock_timestamp() + make_interval(secs => ${startGraceSeconds})
    where not exists (
      select from mails where link_to = ${linkTo} and created_at > clock_timestamp() - ${linkMailPause(sql)})
    returning id`;
  if (inserted) start(mailWork, { id: inserted.id, accountId, resumes: 0 });
};

export const findMail = async (sql: Sql, mailId: string): Promise<Mail | undefined> => {
  const [mail] = await sql<Mail[]>`
    select recipient, subject, body, created_at, status,
      case when link_to is null then link end as page,
      case when link_to is not null then jsonb_build_object('kind', kind, 'url', link, 'to', link_to) end as link,
      case when message_id is not null then
        jsonb_strip_nulls(jsonb_build_object(
          'userId', user_id, 'visitorId', visitor_id, 'conversationId', conversation_id, 'messageId', message_id)) end as about
    from mails where id = ${mailId}`;
  return mail && { ...mail, link: mail.link ?? undefined, about: mail.about ?? undefined };
};

/** Ends a mail. One that has ended stays as it is. */
export const endMail = async (sql: Sql, mailId: string, status: MailEnd): Promise<void> => {
  await sql`
    update mails set status = ${status}, sweep_at = null, sent_at = case when ${status} = 'sent' then clock_timestamp() end
    where id = ${mailId} and status in ('pending', 'pending_link')`;
};
