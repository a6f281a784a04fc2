import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { allWaits, call, count, goingOn, send, takeSlowly } from './courses.ts';
import { useInstallation } from './installed.ts';
import { holdLock } from '../helpers/locks.ts';
import { report } from './report.ts';
import { createWalks, type Course, type Walks } from './walks.ts';
import { patienceMs } from './patience.ts';

/** The whole numbers are for a quiet machine; without FAULT_RUNS and FAULT_KILLS as many as CI has the time for. */
const runs = Number(process.env['FAULT_RUNS'] || 50);
const kills = Number(process.env['FAULT_KILLS'] || Math.max(3, Math.round(runs / 200)));
const limitMs = patienceMs + runs * 300 + kills * 15_000;

const contacts = (name: string, many: number): string[] =>
  Array.from({ length: many }, (_, index) => `${name}-${index}`);

describe('runs of flows', () => {
  const { installed } = useInstallation();
  const walking = async (options: Parameters<typeof createWalks>[1]): Promise<Walks> => {
    const walks = await createWalks(installed(), options);
    onTestFinished(walks.close);
    return walks;
  };

  test('SIGKILL at each step of a run: fields are written once, each port is taken once, and what goes out again has the same key', async () => {
    const { db, service } = installed();
    const still = (id: string): Course => ({
      blocks: () => [{ ...count, id }, send('told')],
      steps: [`${id}: default`, 'tell: default'],
      fields: { counted: 1 },
      messages: ['told'],
    });
    const calling = (id: string, order: number): Course => ({
      blocks: (url) => [count, call(id, url), send('told')],
      steps: ['count: default', `${id}: success`, 'tell: default'],
      fields: { counted: 1, order },
      messages: ['told'],
    });
    const courses = {
      runBeforeCommit: still('runBeforeCommit'),
      runAfterCommit: still('runAfterCommit'),
      runBeforeExchange: calling('runBeforeExchange', 7),
      runDuringExchange: calling('runDuringExchange', 8),
      runUnrepeatable: {
        blocks: (url: string) => [
          count,
          call('runUnrepeatable', url, { method: 'POST', next: { error: 'tell' } }),
          send('told'),
        ],
        steps: ['count: default', 'runUnrepeatable: error', 'tell: default'],
        fields: { counted: 1 },
        messages: ['told'],
      },
      runBeforeRecord: calling('runBeforeRecord', 8),
      runDuringSend: {
        blocks: () => [count, { ...send('one'), messages: [{ text: 'one' }, { text: 'two' }] }],
        steps: ['count: default', 'tell: default'],
        fields: { counted: 1 },
        messages: ['one', 'two'],
      },
    };
    const words = Object.keys(courses) as (keyof typeof courses)[];
    const hangsFirst = new Set(['runDuringExchange', 'runUnrepeatable']);
    const walks = await walking({
      courses,
      onAsked: ({ block, time }) =>
        time === 1 && hangsFirst.has(block)
          ? { type: 'hang' }
          : { type: 'respond', body: JSON.stringify({ number: 6 + time }) },
      onTold: ({ block, time }) => (block === 'one' && time === 1 ? { type: 'hang' } : 200),
    });
    // Two transactions that are lost, and two that are carried out when the process is dead.
    await db`
      create function wait_for_lock() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(tg_argv[0]::int); return new; end $$`;
    onTestFinished(async () => void (await db`drop function wait_for_lock() cascade`));
    await db`
      create trigger before_commit before insert on run_steps for each row when (new.block_id = 'runBeforeCommit')
      execute function wait_for_lock(1)`;
    await db`
      create trigger before_record before update on run_steps for each row
      when (new.block_id = 'runBeforeRecord' and new.status = 'done') execute function wait_for_lock(1)`;
    await db`
      create constraint trigger after_commit after insert on run_steps deferrable initially deferred for each row
      when (new.block_id = 'runAfterCommit') execute function wait_for_lock(2)`;
    await db`
      create constraint trigger before_exchange after insert on requests deferrable initially deferred for each row
      when (new.block_id = 'runBeforeExchange') execute function wait_for_lock(2)`;
    const lost = await holdLock(db, (sql) => sql`select pg_advisory_xact_lock(1)`);
    const committed = await holdLock(db, (sql) => sql`select pg_advisory_xact_lock(2)`);

    const said = Promise.all(words.map((word) => walks.say([word], word)));
    const stopped = async () => (await db`select from pg_locks where locktype = 'advisory' and not granted`).length;
    const held = () => walks.asked.length === 3 && walks.told.some(({ block }) => block === 'one');
    await vi.waitUntil(async () => held() && (await stopped()) === 4, { timeout: patienceMs, interval: 20 });
    await service.kill();
    await committed.letThrough();
    await vi.waitUntil(async () => (await stopped()) === 2, { timeout: patienceMs, interval: 20 });
    await lost.release();

    const sinceMs = await service.start();
    await said;
    await walks.settle();
    expect(walks.asked.map(({ block, time }) => `${block} ${time}`).toSorted()).toEqual([
      'runBeforeExchange 1',
      'runBeforeRecord 1',
      'runBeforeRecord 2',
      'runDuringExchange 1',
      'runDuringExchange 2',
      'runUnrepeatable 1',
    ]);
    for (const word of words) await report(word, await walks.tally(word), { sinceMs });
  });

  test('SIGKILL after the commit of an answer and of what follows it: the run goes on, once', async () => {
    const { db, service } = installed();
    const runAnswered: Course = {
      blocks: () => [
        { id: 'answered', type: 'ask', prompt: 'Which size?', save_to: 'size', next: { timeout: null } },
        count,
        { id: 'later', type: 'delay', for: 'PT1S' },
        send('told'),
      ],
      steps: ['answered: answered', 'count: default', 'later: default', 'tell: default'],
      fields: { size: 'L', counted: 1 },
      messages: ['Which size?', 'told'],
    };
    const walks = await walking({ courses: { runAnswered } });
    await db`
      create function wait_for_lock() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(tg_argv[0]::int); return new; end $$`;
    onTestFinished(async () => void (await db`drop function wait_for_lock() cascade`));
    await db`
      create constraint trigger after_answer after update on run_steps deferrable initially deferred for each row
      when (new.block_id = 'answered' and new.status = 'done') execute function wait_for_lock(2)`;
    await walks.say(['answers'], 'runAnswered');
    const isAsked = async () => (await walks.countWaiting('reply')) === 1 && (await walks.countUnsent()) === 0;
    await vi.waitUntil(isAsked, { timeout: patienceMs, interval: 20 });
    const committed = await holdLock(db, (sql) => sql`select pg_advisory_xact_lock(2)`);
    const said = walks.say(['answers'], 'L');
    const hasStopped = async () =>
      (await db`select from pg_locks where locktype = 'advisory' and not granted`).length > 0;
    await vi.waitUntil(hasStopped, { timeout: patienceMs, interval: 20 });
    await service.kill();
    await committed.letThrough();
    const sinceMs = await service.start();
    await said;
    await walks.settle();
    const tally = await walks.tally('runAnswered');
    expect(tally).toMatchObject({ sentAgain: 0 });
    await report('runAnswered', tally, { sinceMs });
  });

  test(
    `${runs} runs through ${kills} kills: each is walked to its end, once`,
    async () => {
      const { db, service } = installed();
      const walks = await walking({ courses: { go: allWaits }, onAsked: takeSlowly, onTold: takeSlowly });
      const { going, stop } = goingOn(walks);
      const said = walks.say(contacts('killed', runs), 'go');
      let sinceMs = 0;
      for (let kill = 1; kill <= kills; kill += 1) {
        const share = (runs * allWaits.steps.length * kill) / (kills + 1);
        const inTheMiddle = async () => walks.underWay() > 0 && (await walks.countSteps()) >= share;
        await vi.waitUntil(inTheMiddle, { timeout: limitMs, interval: 20 });
        await service.kill();
        sinceMs = await service.start();
      }
      await said;
      await walks.settle(limitMs);
      stop();
      await going;
      const tally = await walks.tally('go');
      const unknown = await db`
        select 1 from requests where account_id = ${walks.accountId} and state = 'unknown'`;
      const askedAgain = walks.asked.filter(({ time }) => time > 1).length;
      expect(askedAgain).toBeLessThanOrEqual(unknown.length);
      await report('runsKilled', tally, { sinceMs, note: `${kills} kills` });
    },
    limitMs + 60_000,
  );

  test(
    'PostgreSQL, killed: runs go on when it is back, and nothing is sent twice',
    async () => {
      const { postgres } = installed();
      const walks = await walking({ courses: { go: allWaits }, onAsked: takeSlowly, onTold: takeSlowly });
      const { going, stop } = goingOn(walks);
      const said = walks.say(contacts('restarted', runs), 'go');
      const share = runs * 2;
      await vi.waitUntil(async () => walks.underWay() > 0 && (await walks.countSteps()) >= share, {
        timeout: limitMs,
        interval: 20,
      });
      await postgres.kill();
      await sleep(2_000);
      const sinceMs = Date.now();
      await postgres.start();
      await said;
      await walks.settle(limitMs);
      stop();
      await going;
      const tally = await walks.tally('go');
      expect(tally).toMatchObject({ sentAgain: 0 });
      await report('runsWithoutPostgres', tally, { sinceMs });
    },
    limitMs + 60_000,
  );

  /** Two that wait for long: for an answer, and for a time. */
  const long = (delay: string): Record<'ask' | 'delay', Course> => ({
    ask: {
      blocks: () => [
        { id: 'size', type: 'ask', prompt: 'Which size?', save_to: 'size', next: { timeout: null } },
        count,
      ],
      steps: ['size: answered', 'count: default'],
      fields: { size: 'L', counted: 1 },
      messages: ['Which size?'],
    },
    delay: {
      blocks: () => [{ id: 'later', type: 'delay', for: delay }, count, send('Now')],
      steps: ['later: default', 'count: default', 'tell: default'],
      fields: { counted: 1 },
      messages: ['Now'],
    },
  });

  test(
    'Temporal, its file deleted: runs that wait in asks and delays go on, once',
    async () => {
      const { loseTemporal } = installed();
      const walks = await walking({ courses: long('PT30S') });
      const [asked, delayed] = [contacts('asked', runs / 2), contacts('delayed', runs / 2)];
      await walks.say(delayed, 'delay');
      await walks.say(asked, 'ask');
      const areWaiting = async () =>
        (await walks.countWaiting('reply')) === asked.length && (await walks.countWaiting('delay')) === delayed.length;
      await vi.waitUntil(areWaiting, { timeout: patienceMs, interval: 50 });
      const sinceMs = await loseTemporal();
      expect(await walks.countWaiting('delay')).toBe(delayed.length);
      await walks.say(asked, 'L');
      await walks.settle(limitMs);
      const [asks, delays] = await Promise.all([walks.tally('ask'), walks.tally('delay')]);
      expect([asks.sentAgain, delays.sentAgain]).toEqual([0, 0]);
      await report('runsAskForgotten', asks, { sinceMs });
      await report('runsDelayForgotten', delays, { sinceMs });
    },
    limitMs + 60_000,
  );

  test('the workflow of a run, terminated: the run goes on in another one', async () => {
    const { temporalClient } = installed();
    const walks = await walking({ courses: long('PT5S') });
    await walks.say(['asked'], 'ask');
    await walks.say(['delayed'], 'delay');
    const areWaiting = async () => (await walks.countWaiting('reply')) + (await walks.countWaiting('delay')) === 2;
    await vi.waitUntil(areWaiting, { timeout: patienceMs, interval: 20 });
    for (const id of [...(await walks.runsOf('ask')), ...(await walks.runsOf('delay'))])
      await temporalClient.workflow.getHandle(`run/${showId('run', id)}`).terminate('by the suite');
    const sinceMs = Date.now();
    await walks.say(['asked'], 'L');
    await walks.settle();
    const [asks, delays] = await Promise.all([walks.tally('ask'), walks.tally('delay')]);
    expect([asks.sentAgain, delays.sentAgain]).toEqual([0, 0]);
    await report(
      'runTerminated',
      { ...delays, accepted: 2, delivered: asks.delivered + delays.delivered },
      { sinceMs },
    );
  });
});
