import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Fault } from './faults.ts';
import { holdCommits, type HeldCommits } from './hold-commits.ts';
import { useInstallation } from './installed.ts';
import type { Tally } from './ledger.ts';
import { patienceMs } from './patience.ts';
import { report } from './report.ts';
import type { FaultedService } from './service.ts';
import { createTakeovers, type Takeovers } from './takeovers.ts';

describe('conversations that agents take from a flow, over webchat and Telegram', () => {
  const { installed } = useInstallation();
  let second: FaultedService;
  beforeAll(async () => {
    second = await installed().startAnother('second');
    return async () => void (await second.stop());
  });
  beforeEach(() => second.revive());

  const someTakeovers = async (): Promise<Takeovers> => {
    const takeovers = await createTakeovers(installed(), second);
    onTestFinished(takeovers.close);
    await takeovers.begin();
    return takeovers;
  };

  /** Has each agent take a step, and its transaction wait in its commit. */
  const stopInCommits = async ({ goOn, steps }: Takeovers): Promise<{ commits: HeldCommits; over: Promise<void> }> => {
    const commits = await holdCommits(installed().db, ['outbound_messages', 'conversation_notes', 'conversation_acts']);
    const over = goOn();
    await Promise.race([over, commits.untilWaiting(steps)]);
    return { commits, over };
  };

  const settleAndReport = async (fault: Fault, takeovers: Takeovers, sinceMs: number): Promise<Tally> => {
    const tally = await takeovers.settle();
    await report(fault, tally, { sinceMs, note: `${takeovers.countReplayed()} steps answered as before` });
    return tally;
  };

  test('SIGKILL of PostgreSQL in the commits of what agents do: all of it is done once, when it is back', async () => {
    const { postgres } = installed();
    const takeovers = await someTakeovers();
    const { over } = await stopInCommits(takeovers);
    await postgres.kill();
    const sinceMs = Date.now();
    await postgres.start();
    await over;
    expect(await settleAndReport('takenWithoutPostgres', takeovers, sinceMs)).toMatchObject({ lost: 0, sentAgain: 0 });
  });

  test('SIGKILL of Temporal: agents take, answer and let go while it is away, and flows go on after them', async () => {
    const { temporal } = installed();
    const takeovers = await someTakeovers();
    await temporal.kill();
    const over = takeovers.goOn();
    const areTaken = () => takeovers.countTaken() === takeovers.steps;
    await Promise.race([over, vi.waitUntil(areTaken, { timeout: patienceMs, interval: 20 })]);
    const sinceMs = Date.now();
    await temporal.start();
    await over;
    expect(await settleAndReport('takenWithoutTemporal', takeovers, sinceMs)).toMatchObject({ lost: 0, sentAgain: 0 });
  });

  test('SIGKILL after the commits of what agents do: nothing is done twice, and flows go on after them', async () => {
    const { service } = installed();
    const takeovers = await someTakeovers();
    const { commits, over } = await stopInCommits(takeovers);
    await Promise.all([service.kill(), second.kill()]);
    await commits.letThrough();
    const sinceMs = await service.start();
    await over;
    expect(await settleAndReport('takenKilled', takeovers, sinceMs)).toMatchObject({ lost: 0, sentAgain: 0 });
    expect(takeovers.countReplayed()).toBeGreaterThanOrEqual(takeovers.steps);
  });
});
