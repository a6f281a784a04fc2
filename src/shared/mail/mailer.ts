import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Logger } from '../platform/log.ts';
import { codeOf } from '../platform/error-code.ts';

/** `messageId` is stable over all tries, so that a mail handed over twice after a crash is one in the reader's mailbox. */
type OutgoingMail = { messageId: string; to: string; subject: string; text: string; date: Date };

export type Mailer = {
  /** Hands a mail on; throws when the mail server is away or says "try again", answers `refused` for a final no. */
  send: (mail: OutgoingMail) => Promise<'sent' | 'refused'>;
  close: () => void;
};

/** The mail server is away or refuses for now; without its own words, which repeat the recipient. */
class MailServerError extends Error {
  constructor({ code, responseCode }: SmtpFault) {
    super(`the mail server did not take the mail for now (${code ?? 'no code'}, ${responseCode ?? 'no answer'})`);
    this.name = 'MailServerError';
  }
}

type SmtpFault = { code?: string; responseCode?: number };

/** The codes that nodemailer puts on its errors. */
const faultOf = (error: unknown): SmtpFault => {
  if (!(error instanceof Error)) return {};
  const code = codeOf(error);
  const answer =
    'responseCode' in error && typeof error.responseCode === 'number' ? { responseCode: error.responseCode } : {};
  return { ...(code !== undefined && { code }), ...answer };
};

/** A 5xx to the envelope or the message: this mail is never taken; one to the sign-in is the operator's to mend. */
const isFinal = ({ code, responseCode = 0 }: SmtpFault): boolean =>
  responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');

/** Hands mails to an SMTP server. */
export const createSmtpMailer = ({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer => {
  const transport = createTransport({
    url: smtpUrl,
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  });
  return {
    send: async (mail) => {
      try {
        await transport.sendMail({ from, ...mail });
        return 'sent';
      } catch (error) {
        const fault = faultOf(error);
        if (isFinal(fault)) return 'refused';
        throw new MailServerError(fault);
      }
    },
    close: () => transport.close(),
  };
};

/** Without an SMTP server: each mail becomes an .eml file, written whole or not at all. */
const createFileMailer = ({ folder, from }: { folder: string; from: string }): Mailer => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail({ from, ...mail });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const unfinished = join(folder, `.${randomUUID()}`);
      await writeFile(unfinished, message, { mode: 0o600 });
      await rename(unfinished, join(folder, `${mail.messageId.replace(/[^\w.-]/g, '_')}.eml`));
      return 'sent';
    },
    close: () => {},
  };
};

/** The mailer that the settings ask for; without SMTP_URL the log says where the mails go. */
export const createMailer = (
  { smtpUrl, mailFrom, dataDir }: { smtpUrl?: string | undefined; mailFrom: string; dataDir: string },
  log: Logger,
): Mailer => {
  if (smtpUrl !== undefined) return createSmtpMailer({ smtpUrl, from: mailFrom });
  const folder = join(dataDir, 'mails');
  log.info({ folder }, 'mail.to_files');
  return createFileMailer({ folder, from: mailFrom });
};
