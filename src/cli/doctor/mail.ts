import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { ProcessSettings } from '../../shared/platform/processes/settings.ts';
import { describeError } from '../failure.ts';
import { ok, warning, wrong, type Finding } from './finding.ts';

const timeoutMs = 5_000;

/**
 * Checks whether the SMTP server in force lets us in; without one, says where mails go instead. `signIn` is its url with user and password. Where
 * this shell does not have them, only its answer is checked.
 */
export const examineMail = async (
  { smtpServer, dataDir }: ProcessSettings,
  signIn: string | undefined,
): Promise<Finding> => {
  if (smtpServer === null) {
    const message = `no SMTP_URL: Parley writes mails to files in ${join(dataDir, 'mails')} and sends none`;
    return warning('SMTP', message, 'set SMTP_URL, for example smtp://user:password@mail.example.com:587');
  }
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport({ url: signIn ?? smtpServer, ...timeouts });
  const { host } = new URL(smtpServer);
  try {
    await transport.verify();
    return ok('SMTP', signIn ? `${host} accepts mail from Parley` : `${host} answers; ${untried}`);
  } catch (error) {
    return signIn
      ? wrong(
          'SMTP',
          `cannot connect or sign in to ${host}: ${describeError(error)}`,
          'correct SMTP_URL, or fix the mail server',
        )
      : warning(
          'SMTP',
          `${host} cannot be reached from here: ${describeError(error)}; ${untried}`,
          'run doctor where a worker runs, with its SMTP_URL',
        );
  } finally {
    transport.close();
  }
};

const untried = "sign-in not checked, because this shell lacks the service's SMTP_URL";
