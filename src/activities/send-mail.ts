import { SpanKind } from '@opentelemetry/api';
import type { Database } from '../shared/platform/db/connect.ts';
import { readId } from '../shared/ids.ts';
import type { Logger } from '../shared/platform/log.ts';
import type { Mailer } from '../shared/mail/mailer.ts';
import { endMail, findMail, type Mail } from '../shared/mail/queries.ts';
import type { MailMetrics } from '../shared/mail/metrics.ts';
import type { MailEnd } from '../shared/mail/types.ts';
import { createLinkToken } from '../shared/users/link-tokens.ts';
import { failSpan, inSpan } from '../shared/platform/telemetry/tracing.ts';

export type MailDeps = { db: Database; mailer: Mailer; log: Logger; metrics: MailMetrics; baseUrl: string };

/**
 * Hands one mail to the mail server, at least once. Idempotent but for a crash between the server's answer and our record: the mail is then
 * handed over again, with the same Message-ID. Throws while the server is away, which Temporal retries.
 */
export const sendMail =
  (deps: MailDeps) =>
  async ({ mailId }: { mailId: string }): Promise<MailEnd> => {
    const id = readId('mail', mailId);
    const mail = await findMail(deps.db, id);
    // Retention removes only mails that have ended.
    if (!mail) return 'sent';
    if (mail.status !== 'pending' && mail.status !== 'pending_link') return mail.status;
    const text = await writeText(deps, mail);
    const outcome = text === undefined ? 'withdrawn' : await handOver(deps, mailId, { ...mail, text });
    await endMail(deps.db, id, outcome);
    deps.log.info({ mail_id: mailId, outcome }, 'mail.ended');
    return outcome;
  };

/**
 * The text of a mail. A link gets a new token with each try, because none is stored in clear; those of the latest tries are good. Undefined
 * when what the link is for is gone.
 */
const writeText = async ({ db, baseUrl }: MailDeps, { body, page, link }: Mail): Promise<string | undefined> => {
  const leadingTo = (url: string) => `${body}\n\n  ${url}\n\nParley\n`;
  if (page !== null) return leadingTo(`${baseUrl}${page}`);
  if (!link) return body;
  const token = await createLinkToken(db, link);
  return token && leadingTo(`${link.url}#${token}`);
};

/** Hands the mail over, counted and traced. The trace has its id and outcome, and nothing of its content. */
const handOver = (
  { mailer, metrics }: MailDeps,
  mailId: string,
  mail: Mail & { text: string },
): Promise<'sent' | 'refused'> =>
  inSpan('mail.send', { kind: SpanKind.CLIENT, attributes: () => ({ 'parley.mail_id': mailId }) }, async (span) => {
    const { recipient: to, subject, text, createdAt: date } = mail;
    try {
      const outcome = await mailer.send({ messageId: `<${mailId}@parley>`, to, subject, text, date });
      metrics.mailTried(outcome);
      span.setAttributes({ 'parley.outcome': outcome });
      if (outcome === 'refused') failSpan(span, 'refused');
      return outcome;
    } catch (error) {
      metrics.mailTried('failed');
      throw error;
    }
  });
