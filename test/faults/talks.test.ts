import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Fault } from './faults.ts';
import type { Installation } from './installation.ts';
import { useInstallation } from './installed.ts';
import { patienceMs } from './patience.ts';
import { report } from './report.ts';
import { createTalks } from './talks.ts';

/** Ends a part of the installation; answers when it was back, in ms since the epoch. */
const ends: readonly (readonly [Fault, string, (installation: Installation) => Promise<number>])[] = [
  [
    'talksKilled',
    'SIGKILL of the service',
    async ({ service }) => {
      await service.kill();
      return service.start();
    },
  ],
  [
    'talksWithoutPostgres',
    'SIGKILL of PostgreSQL',
    async ({ postgres }) => {
      await postgres.kill();
      const sinceMs = Date.now();
      await postgres.start();
      return sinceMs;
    },
  ],
  [
    'talksWithoutTemporal',
    'SIGKILL of Temporal',
    async ({ temporal }) => {
      await temporal.kill();
      const sinceMs = Date.now();
      await temporal.start();
      return sinceMs;
    },
  ],
];

describe('conversations over webchat and Telegram', () => {
  const { installed } = useInstallation();
  const ofEach = 12;

  test.for(ends)('%s: nothing is missing, twice or out of order after a %s in the middle', async ([fault, , end]) => {
    const talks = await createTalks(installed(), { ofEach });
    onTestFinished(talks.close);
    const all = talks.talk();
    await vi.waitUntil(async () => (await talks.countHeard()) >= ofEach, { timeout: patienceMs, interval: 20 });
    const sinceMs = await end(installed());
    await all;
    const { tally, unknown } = await talks.settle();
    expect(tally).toMatchObject({ lost: 0, sentAgain: 0 });
    await report(fault, tally, { sinceMs, note: `unknown, and not arrived: ${unknown}` });
  });
});
