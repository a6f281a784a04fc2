import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';

const { pass } = proxyActivities<{ pass: (id: string) => Promise<'more' | 'over'> }>({ startToCloseTimeout: '5 s' });

const wake = defineSignal('wake');

/** Looks at its row, and again whenever it is woken, until the row is finished. */
export async function walk(id: string): Promise<void> {
  let wakes = 0;
  setHandler(wake, () => {
    wakes += 1;
  });
  for (;;) {
    const seen = wakes;
    if ((await pass(id)) === 'over') return;
    await condition(() => wakes !== seen);
  }
}
