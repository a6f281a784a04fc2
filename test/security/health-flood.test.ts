import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import type { HealthReport } from '../../src/api/http.ts';
import { listen } from '../../src/service/listen.ts';
import { createOperationsApp } from '../../src/service/operations-app.ts';
import { newUuid } from '../../src/shared/ids.ts';
import { createMetrics } from '../../src/service/metrics.ts';
import { reportAttack } from './report.ts';

test('whoever asks for the health of a process all the time does not ask its servers as often', async () => {
  let looks = 0;
  const report: HealthReport = { postgres: 'up', temporal: 'up', worker: 'up', starts: 'up' };
  const health = async () => {
    looks += 1;
    return report;
  };
  const { registry } = createMetrics();
  const app = createOperationsApp({
    registry,
    sdkMetrics: '127.0.0.1:9',
    processId: newUuid(),
    health,
    log: pino({ level: 'silent' }),
  });
  const { port, stop } = await listen(app.callback(), { name: 'PORT', host: '127.0.0.1', port: 0 });
  onTestFinished(stop);
  const since = performance.now();
  const ready = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status;
  const tried = 300;
  const statuses = await Promise.all(Array.from({ length: tried }, ready));
  expect(new Set(statuses)).toEqual(new Set([200]));
  const allowed = 1 + Math.ceil((performance.now() - since) / 500);
  await reportAttack('healthFlood', { tried, through: Math.max(0, looks - allowed), note: `${looks} looks` });
  // It is looked at anew, before long.
  report.temporal = 'down';
  await expect.poll(ready, { timeout: 5_000 }).toBe(503);
});
