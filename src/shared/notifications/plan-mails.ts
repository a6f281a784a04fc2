import { quietMinutesLeft } from './quiet-hours.ts';
import type { NotificationSettings } from './schema.ts';

/** The most mails about unseen messages that a user gets in an hour. */
export const mailsAnHourAtMost = 20;

/** When a user who has had as many is looked at again, in minutes. */
const minutesUntilRoom = 10;

const minuteMs = 60_000;

/** A conversation that waits, as long as it has nobody's look; ids are UUIDs. */
type Wait = { since: Date; assignedTo: string | null };

/** A user who wants mails. `mailsThisHour` counts those that the plan adds. */
type Reader = { userId: string; settings: NotificationSettings; mailsThisHour: number };

/** Decides who of these users gets a mail about a conversation now, and when to look for the next one: undefined once all have theirs. */
export const planMails = <R extends Reader>(
  wait: Wait,
  { readers, hasMail, now }: { readers: readonly R[]; hasMail: (reader: R) => boolean; now: Date },
): { mailTo: R[]; lookAt: Date | undefined } => {
  const mailTo: R[] = [];
  const later: number[] = [];
  for (const reader of readers) {
    const minutes = minutesOf(reader, wait);
    if (minutes === undefined || hasMail(reader)) continue;
    const at = wait.since.getTime() + minutes * minuteMs;
    const quiet = reader.settings.quiet_hours && quietMinutesLeft(reader.settings.quiet_hours, now);
    if (at > now.getTime()) later.push(at);
    else if (quiet) later.push(now.getTime() + quiet * minuteMs);
    else if (reader.mailsThisHour >= mailsAnHourAtMost) later.push(now.getTime() + minutesUntilRoom * minuteMs);
    else {
      reader.mailsThisHour += 1;
      mailTo.push(reader);
    }
  }
  return { mailTo, lookAt: later.length === 0 ? undefined : new Date(Math.min(...later)) };
};

/** After how many minutes a user hears of a conversation; undefined: never. */
const minutesOf = ({ userId, settings }: Reader, { assignedTo }: Wait): number | undefined => {
  const own = assignedTo === null ? settings.unassigned : assignedTo === userId ? settings.mine : undefined;
  const given = [own, settings.all].flatMap((ways) => ways?.mail_after_minutes ?? []);
  return given.length === 0 ? undefined : Math.min(...given);
};
