import { SpanKind } from '@opentelemetry/api';
import type { Database } from '../shared/platform/db/connect.ts';
import { readId, showId } from '../shared/ids.ts';
import { findAwaited } from '../shared/messages/webchat/awaited.ts';
import { createReturnToken, pageOfLink, returnFragment } from '../shared/messages/webchat/links.ts';
import type { Logger } from '../shared/platform/log.ts';
import type { Mailer } from '../shared/mail/mailer.ts';
import { findFirstUnseen } from '../shared/notifications/first-unseen.ts';
import { createUnsubscribeLinks } from '../shared/notifications/unsubscribe-links.ts';
import type { Secrets } from '../shared/platform/secrets/seal.ts';
import { endMail, findMail, type Mail } from '../shared/mail/queries.ts';
import type { MailMetrics } from '../shared/mail/metrics.ts';
import type { MailEnd } from '../shared/mail/types.ts';
import { createLinkToken } from '../shared/users/link-tokens.ts';
import { failSpan, inSpan } from '../shared/platform/telemetry/tracing.ts';

export type MailDeps = {
  db: Database;
  mailer: Mailer;
  log: Logger;
  metrics: MailMetrics;
  baseUrl: string;
  secrets: Pick<Secrets, 'keys'>;
};

/** What a mail says, and a link by which its reader gets no more of its kind. */
type WrittenMail = { text: string; unsubscribeUrl?: string };

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
    const written = await write(deps, mail);
    const outcome = written ? await handOver(deps, mailId, { ...mail, ...written }) : 'withdrawn';
    await endMail(deps.db, id, outcome);
    deps.log.info({ mail_id: mailId, outcome }, 'mail.ended');
    return outcome;
  };

/**
 * The text of a mail. A link gets a new token with each try, because none is stored in clear; those of the latest tries are good. Undefined
 * when what the link is for is gone, or the message has been seen.
 */
const write = async (deps: MailDeps, mail: Mail): Promise<WrittenMail | undefined> => {
  const { db, baseUrl } = deps;
  const { body, page, link, about } = mail;
  const leadingTo = (url: string, more = '') => `${body}\n\n  ${url}\n${more}\nParley\n`;
  if (about?.visitorId !== undefined) return writeToVisitor(deps, mail, about);
  if (about) {
    const first = await findFirstUnseen(db, [about.conversationId]);
    if (first.get(about.conversationId) !== about.messageId) return undefined;
    const unsubscribeUrl = createUnsubscribeLinks(deps.secrets, { baseUrl }).linkTo({ userId: about.userId });
    return { text: leadingTo(`${baseUrl}${page ?? ''}`, sayUnsubscribe(unsubscribeUrl)), unsubscribeUrl };
  }
  if (page !== null) return { text: leadingTo(`${baseUrl}${page}`) };
  if (!link) return { text: body };
  const token = await createLinkToken(db, link);
  return token === undefined ? undefined : { text: leadingTo(`${link.url}#${token}`) };
};

const sayUnsubscribe = (url: string): string => `\nTo get no more of these mails:\n\n  ${url}\n`;

/** A mail to a visitor of a webchat leads into the conversation by a token that is made with each try, and stored as its hash. */
const writeToVisitor = async (
  { db, baseUrl, secrets }: MailDeps,
  { body }: Mail,
  about: { visitorId: string; messageId: string },
): Promise<WrittenMail | undefined> => {
  const awaited = await findAwaited(db, about);
  if (!awaited) return undefined;
  const { channelId, page, origins } = awaited;
  const demo = `${baseUrl}/webchat/${showId('channel', channelId)}/demo`;
  const token = await createReturnToken(db, about.visitorId);
  const url = `${pageOfLink(page, { origins, demo })}#${returnFragment}=${token}`;
  const unsubscribeUrl = createUnsubscribeLinks(secrets, { baseUrl }).linkTo(about);
  return { text: `${body}\n\n  ${url}\n${sayUnsubscribe(unsubscribeUrl)}`, unsubscribeUrl };
};

/** RFC 8058: mail programs show a button that ends these mails by one POST. */
const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Hands the mail over, counted and traced. The trace has its id and outcome, and nothing of its content. */
const handOver = (
  { mailer, metrics }: MailDeps,
  mailId: string,
  mail: Mail & WrittenMail,
): Promise<'sent' | 'refused'> =>
  inSpan('mail.send', { kind: SpanKind.CLIENT, attributes: () => ({ 'parley.mail_id': mailId }) }, async (span) => {
    const { recipient: to, subject, text, createdAt: date, unsubscribeUrl } = mail;
    const headers = unsubscribeUrl === undefined ? {} : unsubscribeHeaders(unsubscribeUrl);
    try {
      const outcome = await mailer.send({ messageId: `<${mailId}@parley>`, to, subject, text, date, headers });
      metrics.mailTried(outcome);
      span.setAttributes({ 'parley.outcome': outcome });
      if (outcome === 'refused') failSpan(span, 'refused');
      return outcome;
    } catch (error) {
      metrics.mailTried('failed');
      throw error;
    }
  });
