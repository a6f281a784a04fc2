import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Logger } from '../platform/log.ts';
import { codeOf } from '../platform/error-code.ts';

/** `messageId` is the same on every try, so that a mailbox shows a mail once that was handed over twice after a crash. */
type OutgoingMail = {
  messageId: string;
  to: string;
  subject: string;
  text: string;
  date: Date;
  headers?: Record<string, string>;
};

export type Mailer = {
  /** Hands a mail over. Answers `refused` when the server never takes it; throws when the server is away or refuses for now. */
  send: (mail: OutgoingMail) => Promise<'sent' | 'refused'>;
  close: () => void;
};

/** The mail server is away or refuses for now. Its own words are left out, because they repeat the recipient. */
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

/** Whether the mail is refused for good: by a 5xx to its envelope or content. A 5xx to the sign-in is a fault that the operator can mend. */
const isFinal = ({ code, responseCode = 0 }: SmtpFault): boolean =>
  responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');

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

/** The end of a mail's headers. */
const headEnd = '\r\n\r\n';

/** The text of a mail as it is: people read the file, and copy its link, which the encodings of mail would break over two lines. */
const withPlainText = (message: Buffer, text: string): string => {
  const [head = ''] = message.toString('utf8').split(headEnd, 1);
  const plain = head.replace(/^Content-Transfer-Encoding:.*$/im, 'Content-Transfer-Encoding: 8bit');
  return plain + headEnd + text.replaceAll(/\r?\n/g, '\r\n');
};

/** The same on every try: when the mail was written, to whom, and its id. */
const fileNameOf = ({ date, to, messageId }: OutgoingMail): string => {
  const at = `${date.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  const recipient = to.replaceAll(/[^\w.@+-]/g, '_').slice(0, 64);
  return `${at}_${recipient}_${messageId.replaceAll(/^<|@.*$/g, '').replaceAll(/\W/g, '_')}.eml`;
};

/** Writes each mail to an .eml file, whole or not at all. */
const createFileMailer = ({ folder, from }: { folder: string; from: string }): Mailer => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail({ from, ...mail });
      if (!Buffer.isBuffer(message)) throw new TypeError('the transport did not buffer the mail');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const unfinished = join(folder, `.${randomUUID()}`);
      await writeFile(unfinished, withPlainText(message, mail.text), { mode: 0o600 });
      await rename(unfinished, join(folder, fileNameOf(mail)));
      return 'sent';
    },
    close: () => {},
  };
};

/** Creates the mailer of the settings. Without SMTP_URL mails are written to files, and the log says where. */
export const createMailer = (
  { smtpUrl, mailFrom, dataDir }: { smtpUrl?: string | undefined; mailFrom: string; dataDir: string },
  log: Logger,
): Mailer => {
  if (smtpUrl !== undefined) return createSmtpMailer({ smtpUrl, from: mailFrom });
  const folder = join(dataDir, 'mails');
  log.info({ folder }, 'mail.to_files');
  return createFileMailer({ folder, from: mailFrom });
};
