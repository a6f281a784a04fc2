import type { Database } from '../shared/db/connect.ts';
import { readId } from '../shared/ids.ts';
import type { Logger } from '../shared/log.ts';
import type { Mailer } from '../shared/mail/mailer.ts';
import { endMail, findPendingMail } from '../shared/mail/queries.ts';

export type MailDeps = { db: Database; mailer: Mailer; log: Logger };

/**
 * Hands one mail to the mail server. At least once: a crash between its taking and our record hands it over again, with
 * the same Message-ID. Throws while the server is away, which Temporal retries.
 */
export const sendMail =
  ({ db, mailer, log }: MailDeps) =>
  async ({ mailId }: { mailId: string }): Promise<'sent' | 'refused'> => {
    const id = readId('mail', mailId);
    const mail = await findPendingMail(db, id);
    if (!mail) return 'sent';
    const outcome = await mailer.send({
      messageId: `<${mailId}@parley>`,
      to: mail.recipient,
      subject: mail.subject,
      text: mail.body,
      date: mail.createdAt,
    });
    await endMail(db, id, outcome);
    log.info({ mail_id: mailId, outcome }, 'mail.ended');
    return outcome;
  };
