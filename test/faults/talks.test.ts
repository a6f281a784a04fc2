import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { endings } from './endings.ts';
import type { Fault } from './faults.ts';
import { useInstallation } from './installed.ts';
import { patienceMs } from './patience.ts';
import { report } from './report.ts';
import { allAtOnce, createTalks, inTurn } from './talks.ts';

const rows: readonly (readonly [Fault, typeof inTurn, keyof typeof endings])[] = [
  ['talksKilled', inTurn, 'SIGKILL of the service'],
  ['talksWithoutPostgres', inTurn, 'SIGKILL of PostgreSQL'],
  ['talksWithoutTemporal', inTurn, 'SIGKILL of Temporal'],
  ['atOnceKilled', allAtOnce, 'SIGKILL of the service'],
  ['atOnceWithoutPostgres', allAtOnce, 'SIGKILL of PostgreSQL'],
  ['atOnceWithoutTemporal', allAtOnce, 'SIGKILL of Temporal'],
];

describe('conversations over webchat and Telegram', () => {
  const { installed } = useInstallation();

  test.for(rows)('%s: nothing is missing, twice or out of order', async ([fault, course, ending]) => {
    const talks = await createTalks(installed(), { visitors: 12, users: 12, course });
    onTestFinished(talks.close);
    const all = talks.talk();
    const isQuarter = async () => (await talks.countHeard()) >= talks.due / 4;
    await vi.waitUntil(isQuarter, { timeout: patienceMs, interval: 20 });
    const sinceMs = await endings[ending](installed());
    await all;
    const { tally, unknown } = await talks.settle();
    expect(tally).toMatchObject({ lost: 0, sentAgain: 0 });
    await report(fault, tally, { sinceMs, note: `unknown, and not arrived: ${unknown}` });
  });
});
