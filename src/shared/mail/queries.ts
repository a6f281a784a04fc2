import type { Sql } from '../platform/db/connect.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import { mailWork } from './work.ts';

/** A mail to an account holder. A second mail with the same `dedupKey` is not written. */
export type NewMail = {
  accountId: string;
  kind: 'webhook_disabled' | 'flow_failing';
  dedupKey: string;
  recipient: string;
  subject: string;
  body: string;
};

export type Mail = {
  recipient: string;
  subject: string;
  body: string;
  createdAt: Date;
  status: 'pending' | 'sent' | 'refused';
};

/** The sweep starts a mail's workflow that was not started within this many seconds. */
const startGraceSeconds = 5;

/** Writes a mail and asks for its workflow, in the transaction of what it reports. */
export const insertMail = async ({ sql, start }: Transaction, mail: NewMail): Promise<void> => {
  const [inserted] = await sql<{ id: string }[]>`
    insert into mails (account_id, kind, dedup_key, recipient, subject, body, sweep_at)
    values (${mail.accountId}, ${mail.kind}, ${mail.dedupKey}, ${mail.recipient}, ${mail.subject}, ${mail.body},
      clock_timestamp() + make_interval(secs => ${startGraceSeconds}))
    on conflict (dedup_key) do nothing
    returning id`;
  if (inserted) start(mailWork, { id: inserted.id, accountId: mail.accountId, resumes: 0 });
};

export const findMail = async (sql: Sql, mailId: string): Promise<Mail | undefined> => {
  const [mail] = await sql<Mail[]>`
    select recipient, subject, body, created_at, status from mails where id = ${mailId}`;
  return mail;
};

/** Ends a mail, as `sent` or as refused for good. A mail that has ended stays as it is. */
export const endMail = async (sql: Sql, mailId: string, status: 'sent' | 'refused'): Promise<void> => {
  await sql`
    update mails set status = ${status}, sweep_at = null, sent_at = case when ${status} = 'sent' then clock_timestamp() end
    where id = ${mailId} and status = 'pending'`;
};
