import { afterAll, beforeEach, expect } from 'vitest';
import { sendMail } from '../../src/activities/send-mail.ts';
import { createSmtpMailer } from '../../src/shared/mail/mailer.ts';
import { mailWork } from '../../src/shared/mail/work.ts';
import { showId } from '../../src/shared/ids.ts';
import { pickPort } from '../../src/shared/platform/embedded/ports.ts';
import type { TestApi } from './api.ts';
import { startMailServer, type MailServer } from './mail-server.ts';

/** A mail as its reader sees it; `token` is that of its link, if it has one. */
type ReadMail = { to: string; subject: string; text: string; link: string; token: string; source: string };

export type Mails = {
  server: MailServer;
  /** Sends the mails that committed transactions have asked for, through the mail server, and answers those that came in. */
  deliver: () => Promise<ReadMail[]>;
  /** The same where one mail is expected; answers the token of its link. */
  deliverToken: () => Promise<string>;
};

/** A mail server of a whole test file, and the activity that hands it the mails of the API, those of each test alone. */
export const useMails = async (api: TestApi): Promise<Mails> => {
  const port = await pickPort();
  const server = await startMailServer(port);
  const mailer = createSmtpMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'Parley <parley@parley.example>' });
  afterAll(async () => {
    mailer.close();
    await server.close();
  });
  beforeEach(() => {
    api.dispatched.length = 0;
  });
  const { secrets, log, config } = api.deps;
  const { baseUrl } = config;
  const send = sendMail({ db: api.db, mailer, baseUrl, secrets, log, metrics: { mailTried: () => {} } });
  const deliver = async (): Promise<ReadMail[]> => {
    const before = server.received.length;
    const asked = api.dispatched.splice(0).filter(({ work }) => work === mailWork);
    for (const { row } of asked) await send({ mailId: showId('mail', row.id) });
    return server.received.slice(before).map(readMail);
  };
  return { server, deliver, deliverToken: async () => (await deliver())[0]?.token ?? expect.fail('no mail') };
};

const readMail = ({ to, source }: { to: string; source: string }): ReadMail => {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const headers = head.replaceAll(/\r\n[ \t]/g, ' ');
  const raw = rest.join('\r\n\r\n');
  const text = /^content-transfer-encoding: *quoted-printable/im.test(headers) ? decodeQuotedPrintable(raw) : raw;
  const [, link = '', token = ''] = /(http\S+)#([\w-]+)/.exec(text) ?? [];
  return { to, subject: /^Subject: *(.*)$/im.exec(headers)?.[1] ?? '', text, link, token, source };
};

const decodeQuotedPrintable = (raw: string): string =>
  Buffer.from(
    raw
      .replaceAll('=\r\n', '')
      .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number(`0x${hex}`))),
    'latin1',
  ).toString('utf8');
