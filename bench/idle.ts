import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when no workflow of what is over waits for its start: it would take the machine from what is measured next. */
export const untilIdle = async (metricsUrls: readonly string[]): Promise<void> => {
  const untilMs = performance.now() + 120_000;
  for (const url of metricsUrls) {
    for (;;) {
      const metrics = await (await fetch(url)).text();
      if (/^parley_spare_starts_waiting 0$/m.test(metrics)) break;
      if (performance.now() > untilMs) throw new Error('workflows of what is over still wait after two minutes');
      await sleep(500);
    }
  }
};
