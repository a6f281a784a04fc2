import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { MailEnd, SendMail } from '../shared/mail/types.ts';

const { sendMail: send } = proxyActivities<Activities>({
  startToCloseTimeout: '2 min',
  retry: { initialInterval: '5 s', backoffCoefficient: 2, maximumInterval: '10 min' },
  summary: 'hand the mail to the mail server',
});

/** One mail to an account holder: tried until the mail server takes it, however long that is away. */
export async function sendMail({ mailId }: SendMail): Promise<MailEnd> {
  const outcome = await send({ mailId });
  setCurrentDetails(`**${outcome}**`);
  return outcome;
}
