import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { write } from '../helpers/telegram/bots.ts';
import { holdLock } from '../helpers/locks.ts';
import { endings } from './endings.ts';
import type { Fault } from './faults.ts';
import { useInstallation } from './installed.ts';
import type { Tally } from './ledger.ts';
import { patienceMs } from './patience.ts';
import { report } from './report.ts';
import type { FaultedService } from './service.ts';
import { allAtOnce, createTalks, type Talks } from './talks.ts';

const users = 24;
const polls = { TELEGRAM_UPDATES: 'poll' };
const waiting = { timeout: patienceMs, interval: 20 };

describe('users of Telegram, which is polled', () => {
  const { installed } = useInstallation();
  let polling: FaultedService;
  beforeEach(async () => {
    await installed().service.stop();
    polling = await installed().startAnother('polling', polls);
    return async () => void (await polling.stop());
  });

  /** Those of users whose bot is polled; the API is asked at `service`. */
  const someTalks = async (service: { url: string } = polling): Promise<Talks> => {
    const { db } = installed();
    const talks = await createTalks({ ...installed(), service }, { visitors: 0, users, course: allAtOnce });
    const isPolled = () => db`select from channels where account_id = ${talks.accountId} and poller is not null`;
    await vi.waitUntil(async () => (await isPolled()).length > 0, waiting);
    return talks;
  };
  const isQuarter = (talks: Talks) => async () => (await talks.countHeard()) >= talks.due / 4;
  const settleAndReport = async (fault: Fault, talks: Talks, sinceMs: number): Promise<Tally> => {
    const { tally, unknown } = await talks.settle();
    expect(talks.bot.webhook).toBeUndefined();
    await report(fault, tally, { sinceMs, note: `unknown, and not arrived: ${unknown}` });
    return tally;
  };

  test('SIGKILL of PostgreSQL: nothing is missing, twice or out of order', async () => {
    const talks = await someTalks();
    const all = talks.talk();
    await vi.waitUntil(isQuarter(talks), waiting);
    const sinceMs = await endings['SIGKILL of PostgreSQL']({ ...installed(), service: polling });
    await all;
    expect(await settleAndReport('polledWithoutPostgres', talks, sinceMs)).toMatchObject({ lost: 0, sentAgain: 0 });
  });

  test('SIGKILL of Temporal: users are heard and answered while it is away, once and in order', async () => {
    const { temporal } = installed();
    const talks = await someTalks();
    await temporal.kill();
    await talks.talk();
    await vi.waitUntil(async () => (await talks.countHeard()) === talks.due, waiting);
    const sinceMs = Date.now();
    await temporal.start();
    expect(await settleAndReport('polledWithoutTemporal', talks, sinceMs)).toMatchObject({ lost: 0, sentAgain: 0 });
  });

  test('SIGKILL in a batch: what was taken of it is not taken again, and the rest is', async () => {
    const { db } = installed();
    const talks = await someTalks();
    const { bot } = talks;
    const [first, ...rest] = allAtOnce.said;
    const everybody = Array.from({ length: users }, (_, index) => index + 1);
    const say = (userId: number, texts: readonly string[]) => void texts.map((text) => write(bot, userId, text));
    for (const userId of everybody) say(userId, [first ?? '']);
    await vi.waitUntil(async () => bot.pending.length === 0 && (await talks.countHeard()) === users, waiting);
    const lock = await holdLock(
      db,
      (sql) => sql`
        select from contacts c join contact_identities i on i.contact_id = c.id
        where c.account_id = ${talks.accountId} and i.external_id = ${String(users)} for update of c`,
    );
    for (const userId of everybody) say(userId, rest);
    const taken = (users - 1) * allAtOnce.said.length + 1;
    await vi.waitUntil(async () => (await talks.countSaid()) === taken, waiting);
    expect(bot.pending.length).toBe(users * rest.length);
    const answered = talks.answer();
    await polling.kill();
    await lock.release();
    const sinceMs = await polling.start();
    await answered;
    expect(await settleAndReport('polledKilled', talks, sinceMs)).toMatchObject({ lost: 0, sentAgain: 0 });
  });

  test('SIGKILL of the one of two processes that polls: the other goes on, once for each message', async () => {
    const service = { url: polling.url };
    const talks = await someTalks(service);
    const other = await installed().startAnother('other', polls);
    service.url = other.url;
    onTestFinished(async () => void (await other.stop()));
    const all = talks.talk();
    await vi.waitUntil(isQuarter(talks), waiting);
    await polling.kill();
    const sinceMs = Date.now();
    await all;
    expect(await settleAndReport('polledByTwo', talks, sinceMs)).toMatchObject({ lost: 0, sentAgain: 0 });
  });
});
