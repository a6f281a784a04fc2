import { expect, test } from 'vitest';
import { planMails } from '../../../src/shared/notifications/plan-mails.ts';
import { firstSettings } from '../../../src/shared/notifications/schema.ts';

const silent = { sound: false, desktop: false, mail_after_minutes: null };
const settings = { ...firstSettings, mine: { ...silent, mail_after_minutes: 10 } };
const quiet = { ...settings, quiet_hours: { from: '22:00', to: '07:00', time_zone: 'UTC' } };

const plan = (now: string, given = settings) => {
  const reader = { userId: 'ada', settings: given, mailsThisHour: 0 };
  const wait = { since: new Date('2026-11-27T21:55:00Z'), assignedTo: 'ada' };
  const { mailTo, lookAt } = planMails(wait, { readers: [reader], hasMail: () => false, now: new Date(now) });
  return { mails: mailTo.length, lookAt: lookAt?.toISOString() };
};

test('a mail is due after the minutes of its user, and not before', () => {
  expect(plan('2026-11-27T22:04:59Z')).toEqual({ mails: 0, lookAt: '2026-11-27T22:05:00.000Z' });
  expect(plan('2026-11-27T22:05:00Z')).toEqual({ mails: 1, lookAt: undefined });
});

test('a mail waits for the end of the quiet hours', () => {
  expect(plan('2026-11-27T22:05:00Z', quiet)).toEqual({ mails: 0, lookAt: '2026-11-28T07:00:00.000Z' });
  expect(plan('2026-11-28T07:00:00Z', quiet)).toEqual({ mails: 1, lookAt: undefined });
});
