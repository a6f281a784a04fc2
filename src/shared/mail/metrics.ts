import { Counter, type Registry } from 'prom-client';

/** Counts the tries of mails by outcome; one that `failed` is tried again. */
export type MailMetrics = { mailTried: (outcome: 'sent' | 'refused' | 'failed') => void };

/** Creates the instruments; docs/metrics.md describes them. Labels are enums, so that their values stay few. */
export const createMailMetrics = (registry: Registry): MailMetrics => {
  const mails = new Counter({
    name: 'parley_mail_attempts_total',
    help: 'Mails handed to the mail server, by what came of it; a failed one is tried again',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return { mailTried: (outcome) => mails.inc({ outcome }) };
};
