import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Config } from '../../shared/config.ts';
import { describeError } from '../failure.ts';
import { ok, warning, wrong, type Finding } from './finding.ts';

const timeoutMs = 5_000;

/** Whether the SMTP server lets us in; without one, where the mails go instead. */
export const examineMail = async ({ smtpUrl, dataDir }: Config): Promise<Finding> => {
  if (smtpUrl === undefined) {
    const message = `no SMTP_URL: mails become files in ${join(dataDir, 'mails')}, and nobody gets them`;
    return warning('SMTP', message, 'set SMTP_URL, for example smtp://user:password@mail.example.com:587');
  }
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport({ url: smtpUrl, ...timeouts });
  const { host } = new URL(smtpUrl);
  try {
    await transport.verify();
    return ok('SMTP', `${host} takes our mails`);
  } catch (error) {
    return wrong(
      'SMTP',
      `${host} does not let us in: ${describeError(error)}`,
      'correct SMTP_URL, or mend the mail server',
    );
  } finally {
    transport.close();
  }
};
