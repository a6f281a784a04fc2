import { Counter, type Registry } from 'prom-client';

/** What becomes of a mail; `failed` is tried again. */
export type MailMetrics = { mailTried: (outcome: 'sent' | 'refused' | 'failed') => void };

/** Makes its instruments; docs/metrics.md says what each is for. Labels are enums: their values stay few. */
export const createMailMetrics = (registry: Registry): MailMetrics => {
  const mails = new Counter({
    name: 'parley_mail_attempts_total',
    help: 'Mails handed to the mail server, by what came of it; a failed one is tried again',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return { mailTried: (outcome) => mails.inc({ outcome }) };
};
