import { pino } from 'pino';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Topic } from '../../../src/shared/facts/topics.ts';
import type { Talks } from '../../../src/shared/hints/gather-talks.ts';
import type { Changed } from '../../../src/shared/hints/gather-topics.ts';
import { connectForStreams, createOthersHearing } from '../../../src/shared/hints/hear-others.ts';
import { createTopicTeller } from '../../../src/shared/hints/tell-topics.ts';
import { newUuid } from '../../../src/shared/ids.ts';
import { deleteProcess, reportProcess, type Process } from '../../../src/shared/platform/processes/processes.ts';
import { createTestDatabase } from '../../helpers/database.ts';
import { ageProcesses, forgetProcesses } from '../../helpers/states/processes.ts';

const { db, target, shut, open, drop } = await createTestDatabase();
afterAll(drop);
beforeEach(() => forgetProcesses(db));

const log = pino({ level: 'silent' });
const quickly = { talkMs: 1, listsMs: 1 };
const accountId = newUuid();

const of = (...topics: Topic[]) => new Map([[accountId, new Set(topics)]]);

/** A process that tells. */
const aTeller = (processId = newUuid()) => {
  const teller = createTopicTeller({ sql: db, processId, log, pace: quickly });
  onTestFinished(() => teller.stop());
  return teller;
};

/** A process that hears: `heard` is what it has heard so far. */
const aListener = (processId = newUuid()) => {
  const forStreams = connectForStreams(target);
  onTestFinished(() => forStreams.db.end());
  const heard: Changed[] = [];
  const listener = {
    hear: (changed: Changed) => void heard.push(changed),
    hearTalks: (talks: Talks) => void heardTalks.push(talks),
    hearPresence: () => {},
  };
  const heardTalks: Talks[] = [];
  const { start, check, rest } = createOthersHearing({ forStreams, processId, log, gapsEveryMs: 3_600_000 });
  return {
    start: () => start(listener),
    check,
    rest: () => rest(listener),
    heard,
    heardTalks,
    channels: () => forStreams.db`select pg_listening_channels()`,
  };
};

/** Resolves when the listener has heard all that was told before. */
const untilHeard = async (heard: readonly Changed[], mark: Topic): Promise<void> => {
  aTeller().tell(of(mark));
  const isMark = (changed: Changed) => changed !== 'everything' && changed.get(accountId)?.has(mark) === true;
  await expect.poll(() => heard.some(isMark), { timeout: 20_000 }).toBe(true);
};

const aProcess = (version = '0.4.0'): Process => ({
  id: newUuid(),
  host: 'host',
  pid: 1,
  version,
  roles: ['api'],
  settings: {
    baseUrl: '',
    apiUrl: '',
    localUrl: '',
    smtpServer: null,
    dataDir: '',
    egressAllow: [],
    retentionDays: 1,
  },
});

test('a process hears what others tell, and not what it tells itself', async () => {
  const own = newUuid();
  const { start, heard } = aListener(own);
  await start();
  aTeller(own).tell(of('tags'));
  aTeller().tell(of('flows', 'runs'));
  await expect.poll(() => heard, { timeout: 20_000 }).toEqual([of('flows', 'runs')]);
  await untilHeard(heard, 'orders');
  expect(heard).toEqual([of('flows', 'runs'), of('orders')]);
});

test('a process listens on its connection only while somebody wants to hear', async () => {
  const { start, rest, check, heard, channels } = aListener();
  expect(await channels()).toEqual([]);
  await start();
  expect(await channels()).not.toEqual([]);
  await rest();
  await check();
  expect(await channels()).toEqual([]);
  await start();
  await untilHeard(heard, 'tags');
});

test('what is told just before a process ends reaches the others', async () => {
  const { start, heard } = aListener();
  await start();
  const slow = createTopicTeller({
    sql: db,
    processId: newUuid(),
    log,
    pace: { talkMs: 3_600_000, listsMs: 3_600_000 },
  });
  slow.tell(of('tags'));
  await slow.stop();
  await expect.poll(() => heard, { timeout: 20_000 }).toEqual([of('tags')]);
});

test('a lost connection is a gap: everything is heard, and then what is told', async () => {
  const { start, check, heard, channels } = aListener();
  await start();
  await check();
  expect(heard).toEqual([]);
  await shut();
  await open();
  await expect.poll(async () => (await channels()).count, { timeout: 20_000 }).toBe(0);
  await check();
  expect(heard).toEqual(['everything']);
  await check();
  expect(heard).toEqual(['everything']);
  await untilHeard(heard, 'tags');
});

test('what cannot be notified while PostgreSQL is away is told when it is back', async () => {
  const teller = aTeller();
  await shut();
  teller.tell(of('tags'));
  const { start, heard } = aListener();
  await expect(start()).rejects.toThrow(/not currently accepting connections/);
  await open();
  await expect
    .poll(
      () =>
        start()
          .then(() => true)
          .catch(() => false),
      { timeout: 20_000 },
    )
    .toBe(true);
  await expect.poll(() => heard.length, { timeout: 20_000 }).toBeGreaterThan(0);
});

describe('processes', () => {
  test('everything is heard once when a process stops reporting, for its last hints may be lost', async () => {
    await reportProcess(db, aProcess());
    const { start, check, heard } = aListener();
    await start();
    await check();
    await ageProcesses(db, { seconds: 14 });
    await check();
    expect(heard).toEqual([]);
    await ageProcesses(db, { seconds: 2 });
    await check();
    await check();
    expect(heard).toEqual(['everything']);
  });

  test('nothing is heard of a process that ends in order, or that was gone before', async () => {
    const ending = aProcess();
    await reportProcess(db, aProcess());
    await ageProcesses(db, { seconds: 60 });
    await reportProcess(db, ending);
    const { start, check, heard } = aListener();
    await start();
    await check();
    await deleteProcess(db, ending.id);
    await check();
    expect(heard).toEqual([]);
  });

  test('the own process is not watched', async () => {
    const own = aProcess();
    await reportProcess(db, own);
    const { start, check, heard } = aListener(own.id);
    await start();
    await check();
    await ageProcesses(db, { seconds: 60 });
    await check();
    expect(heard).toEqual([]);
  });

  test('while a process of 0.3 is at work, which tells nothing, everything is heard every few seconds', async () => {
    await reportProcess(db, aProcess('0.3.1'));
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { start, check, heard } = aListener();
    await start();
    for (let second = 0; second < 11; second += 1) {
      vi.advanceTimersByTime(1_000);
      await check();
    }
    expect(heard).toEqual(['everything', 'everything']);
  });
});
