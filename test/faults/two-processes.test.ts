import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { allWaits, count, goingOn, send, takeSlowly } from './courses.ts';
import type { Fault } from './faults.ts';
import { useInstallation } from './installed.ts';
import { createOutlet } from './outlet.ts';
import { patienceMs } from './patience.ts';
import { report } from './report.ts';
import type { FaultedService } from './service.ts';
import { createWalks, type Course } from './walks.ts';

const messages = 120;
const lanes = 10;
const contacts = Array.from({ length: 40 }, (_, index) => `raced-${index}`);

const waiting = { timeout: patienceMs, interval: 20 };

describe('two processes', () => {
  const { installed } = useInstallation();
  let second: FaultedService;
  beforeEach(async () => {
    second = await installed().startAnother('second');
    return async () => void (await second.stop());
  });

  test('that queue for one lane at the same time send each message once, one at a time, in its order', async () => {
    const { service } = installed();
    let underWay = 0;
    let most = 0;
    const outlet = await createOutlet(installed(), async () => {
      most = Math.max(most, (underWay += 1));
      await sleep(1);
      underWay -= 1;
      return 200;
    });
    onTestFinished(outlet.close);
    const sinceMs = Date.now();
    // Now and then nothing is queued any more, so that the lane is given up while the other process queues.
    for (let round = 1; round <= messages / 2; round += 1) {
      await Promise.all([service, second].map((by, index) => outlet.send(`message ${round} ${index}`, by)));
      if (round % 3 === 0) await vi.waitUntil(() => outlet.posts.length === 2 * round, waiting);
    }
    const tally = await outlet.settle();
    expect({ ...tally, most }).toMatchObject({ accepted: messages, lost: 0, sentAgain: 0, most: 1 });
    await report('laneRaced', tally, { sinceMs });
  });

  test('that race for the lanes of a third one, which was killed: each message goes again once, the rest behind it', async () => {
    const { service, startAnother } = installed();
    const killed = await startAnother('killed');
    onTestFinished(async () => void (await killed.stop()));
    const respond = ({ length }: readonly unknown[]) => (length === 1 ? ({ type: 'hang' } as const) : 200);
    const outlets = await Promise.all(Array.from({ length: lanes }, () => createOutlet(installed(), respond)));
    for (const outlet of outlets) onTestFinished(outlet.close);
    await Promise.all(outlets.map(({ send }) => send('under way', killed)));
    await vi.waitUntil(() => outlets.every(({ posts }) => posts.length === 1), waiting);
    for (const by of [service, second]) await Promise.all(outlets.map(({ send }) => send(`behind, by ${by.url}`, by)));
    await killed.kill();
    const sinceMs = Date.now();
    const tallies = await Promise.all(outlets.map(({ settle }) => settle()));
    const sum = (figure: 'accepted' | 'delivered' | 'lost' | 'sentAgain') =>
      tallies.reduce((total, tally) => total + tally[figure], 0);
    const counts = {
      accepted: sum('accepted'),
      delivered: sum('delivered'),
      lost: sum('lost'),
      sentAgain: sum('sentAgain'),
    };
    expect(counts).toEqual({ accepted: 3 * lanes, delivered: 3 * lanes, lost: 0, sentAgain: lanes });
    await report(
      'lanesOfKilled',
      { ...counts, lastAtMs: Math.max(...tallies.map(({ lastAtMs }) => lastAtMs)) },
      { sinceMs },
    );
  });

  test('that take messages of one contact at the same time: each pass sees what the others have written', async () => {
    const { db, service } = installed();
    const words = Array.from({ length: 20 }, (_, index) => `word ${index}`);
    const courseOf = (word: string): Course => ({
      blocks: () => [count, send(word)],
      steps: ['count: default', 'tell: default'],
      fields: { counted: words.length },
      messages: words,
    });
    const walks = await createWalks(installed(), {
      courses: Object.fromEntries(words.map((word) => [word, courseOf(word)])),
      through: () => [service.url, second.url],
    });
    onTestFinished(walks.close);
    const sinceMs = Date.now();
    await Promise.all(words.map((word) => walks.say(['one contact'], word)));
    const { accountId } = walks;
    await vi.waitUntil(() => walks.told.length >= words.length, waiting);
    await vi.waitUntil(
      async () => (await db`select from sendings where account_id = ${accountId}`).length === 0,
      waiting,
    );
    expect(walks.told.map(({ block }) => block).toSorted()).toEqual(words.toSorted());
    expect(await db`select custom_fields from contacts where account_id = ${accountId}`).toMatchObject([
      { customFields: { counted: words.length } },
    ]);
    const runs = await db<{ status: string }[]>`select status from runs where account_id = ${accountId}`;
    expect(runs.map(({ status }) => status)).toEqual(words.map(() => 'completed'));
    const tally = { accepted: words.length, delivered: runs.length, lost: 0, sentAgain: 0 };
    await report('oneContactRaced', { ...tally, lastAtMs: walks.told.at(-1)?.atMs ?? sinceMs }, { sinceMs });
  });

  /** Contacts whose every message and tag is handed to both processes at the same time. `meanwhile` happens when half of the steps are done. */
  const raceForContacts = async (fault: Fault, meanwhile = async (): Promise<void> => {}) => {
    const { service } = installed();
    const walks = await createWalks(installed(), {
      courses: { go: allWaits },
      onAsked: takeSlowly,
      onTold: takeSlowly,
      through: () => (second.isRunning() ? [service.url, second.url] : [service.url]),
    });
    onTestFinished(walks.close);
    const { going, stop } = goingOn(walks);
    const said = walks.say(contacts, 'go');
    const half = (contacts.length * allWaits.steps.length) / 2;
    await vi.waitUntil(async () => walks.underWay() > 0 && (await walks.countSteps()) >= half, waiting);
    await meanwhile();
    const sinceMs = Date.now();
    await said;
    await walks.settle();
    stop();
    await going;
    const tally = await walks.tally('go');
    await report(fault, tally, { sinceMs });
    return tally;
  };

  test('that take all that contacts do begin one run each, ask once, tell once, and write its fields once', async () => {
    const tally = await raceForContacts('contactRaced');
    expect(tally).toMatchObject({ accepted: contacts.length, lost: 0, sentAgain: 0 });
  });

  test('of which one is killed between its contacts: the other brings each run to its end, once', async () => {
    const tally = await raceForContacts('contactRacedKilled', () => second.kill());
    expect(tally).toMatchObject({ accepted: contacts.length, lost: 0 });
  });
});
