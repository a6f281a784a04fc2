import type { Database, Sql } from '../../../../src/shared/platform/db/connect.ts';
import { rollUpActivity } from '../../../../src/shared/statistics/roll-up-activity.ts';
import { rollUp } from '../../../../src/shared/statistics/roll-up.ts';
import {
  aPastConversation,
  aPastMessage,
  aRunThatEnded,
  setActivityRolledUpUntil,
} from '../../../helpers/states/activity.ts';
import { aPastDelivery, aPastEvent, setRolledUpUntil } from '../../../helpers/states/statistics.ts';

const hourMs = 3_600_000;

type Of = { accountId: string; webhookId: string; flowId: string };

/** Two days of traffic, as much as a shop has, of which a little goes wrong, and of which the second was the better one. All of it is rolled up. */
export const passTwoDays = async (db: Database, of: Of): Promise<void> => {
  const thisHour = Math.floor(Date.now() / hourMs) * hourMs;
  for (let hour = 47; hour >= 1; hour -= 1) {
    const busy = Math.round((9 + 7 * Math.sin(hour / 3.5)) * (hour < 24 ? 1 : 0.8));
    for (let number = 0; number < busy; number += 1)
      await haveTraffic(db, of, {
        at: new Date(thisHour - hour * hourMs + (number * hourMs) / busy / 2),
        hour,
        number,
      });
  }
  const begin = new Date(thisHour - 48 * hourMs);
  await Promise.all([setRolledUpUntil(db, begin), setActivityRolledUpUntil(db, begin)]);
  await rollUp(db);
  await rollUpActivity(db);
};

const haveTraffic = async (
  sql: Sql,
  { accountId, webhookId, flowId }: Of,
  { at, hour, number }: { at: Date; hour: number; number: number },
): Promise<void> => {
  const failed = (hour * 7 + number) % 23 === 0;
  const outcome = failed ? ('failed' as const) : ('succeeded' as const);
  await aPastEvent(sql, { accountId, at });
  await aPastDelivery(sql, {
    accountId,
    webhookId,
    at,
    status: failed ? 'failed' : 'delivered',
    attempts: [{ outcome, durationMs: 18 + ((hour * number * 13) % 90) }],
  });
  if (number % 3 > 0) return;
  const talk = await aPastConversation(sql, { accountId, at });
  const after = (seconds: number): Date => new Date(at.getTime() + seconds * 1_000);
  await aPastMessage(sql, talk, { at, direction: 'inbound' });
  await aPastMessage(sql, talk, { at: after(20 + ((hour * 31 + number * 17) % 240)), direction: 'outbound' });
  const ended = {
    startedAt: at,
    endedAt: after(300),
    status: (hour + number) % 9 === 0 ? 'failed' : 'completed',
  } as const;
  await aRunThatEnded(sql, { flowId, contactId: talk.contactId }, ended);
};
