import { z } from 'zod';
import { isTimeZone } from '../times/time-zone.ts';

/** After how many minutes a mail may come. */
const minutesAtMost = 24 * 60;

const ways = z
  .strictObject({
    sound: z.boolean().meta({ description: 'A sound in an open dashboard.' }),
    desktop: z.boolean().meta({ description: 'A notification of the browser, where it is allowed to show them.' }),
    mail_after_minutes: z
      .int()
      .min(1)
      .max(minutesAtMost)
      .nullable()
      .meta({ description: 'A mail once a message is unseen for so long; null: no mail.' }),
  })
  .meta({ id: 'NotificationWays' });

const clock = z
  .string()
  .max(5)
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { message: 'must be a time of day such as 22:00' });

const quietHours = z
  .strictObject({
    from: clock,
    to: clock.meta({ description: 'Of the next day where it is not after `from`.' }),
    time_zone: z.string().max(64).refine(isTimeZone, { error: 'must be an IANA time zone such as "Europe/Berlin"' }),
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'must differ from the beginning' })
  .meta({ id: 'QuietHours', description: 'No sound, no notification and no mail. Mails wait for their end.' });

/** What a user hears of, and how. */
export const notificationSettings = z
  .strictObject({
    mine: ways.meta({ description: 'Conversations that are assigned to you.' }),
    unassigned: ways.meta({ description: 'Conversations that wait for an agent.' }),
    all: ways.meta({ description: 'Both, and those that are assigned to colleagues.' }),
    quiet_hours: quietHours.nullable(),
  })
  .meta({
    id: 'NotificationSettings',
    example: {
      mine: { sound: true, desktop: true, mail_after_minutes: 10 },
      unassigned: { sound: true, desktop: true, mail_after_minutes: null },
      all: { sound: false, desktop: false, mail_after_minutes: null },
      quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' },
    },
  });

export type NotificationSettings = z.output<typeof notificationSettings>;

/** The settings of a user who has chosen none. */
export const firstSettings: NotificationSettings = {
  mine: { sound: true, desktop: true, mail_after_minutes: null },
  unassigned: { sound: true, desktop: true, mail_after_minutes: null },
  all: { sound: false, desktop: false, mail_after_minutes: null },
  quiet_hours: null,
};
