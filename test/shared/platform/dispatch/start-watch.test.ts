import { expect, test } from 'vitest';
import { watchStarts, type StartWatch } from '../../../../src/shared/platform/dispatch/start-watch.ts';

/** A watch whose clock is the test's, and what it has passed on. */
const aWatch = (): StartWatch & { passed: unknown[]; after: (seconds: number) => void } => {
  let nowMs = 1_000;
  const passed: unknown[] = [];
  const metrics = {
    dispatched: (...told: unknown[]) => void passed.push(told),
    spare: () => {},
    swept: (...told: unknown[]) => void passed.push(told),
  };
  const watch = watchStarts(metrics, () => nowMs);
  return { ...watch, passed, after: (seconds) => (nowMs += seconds * 1_000) };
};

const failFor = ({ after, swept }: ReturnType<typeof aWatch>, seconds: number): void => {
  for (let passed = 0; passed <= seconds; passed += 5) {
    swept({ started: 0, sent: 0, failed: 3 });
    if (passed < seconds) after(5);
  }
};

test('starts that fail for fifteen seconds count as failing until one succeeds', () => {
  const watch = aWatch();
  expect(watch.failing()).toBe(false);
  failFor(watch, 10);
  expect(watch.failing()).toBe(false);
  watch.after(5);
  watch.dispatched('left_to_sweep');
  expect(watch.failing()).toBe(true);
  watch.dispatched('started');
  expect(watch.failing()).toBe(false);
  failFor(watch, 20);
  expect(watch.failing()).toBe(true);
  watch.swept({ started: 1, sent: 0, failed: 2 });
  expect(watch.failing()).toBe(false);
});

test('spare starts that Temporal does not take are failures; those that found no room say nothing', () => {
  const watch = aWatch();
  const report = (outcome: 'dropped' | 'failed') => {
    for (let passed = 0; passed <= 15; passed += 5) {
      watch.spare(outcome);
      watch.after(5);
    }
  };
  report('dropped');
  expect(watch.failing()).toBe(false);
  report('failed');
  expect(watch.failing()).toBe(true);
  watch.spare('started');
  expect(watch.failing()).toBe(false);
});

test('a burst of failures, or one not repeated for a minute, does not count as failing', () => {
  const watch = aWatch();
  for (let tries = 0; tries < 100; tries += 1) watch.dispatched('left_to_sweep', 2);
  expect(watch.failing()).toBe(false);
  expect(watch.passed).toContainEqual(['left_to_sweep', 2]);
  failFor(watch, 20);
  expect(watch.failing()).toBe(true);
  // A sweep that found nothing overdue has tried none.
  watch.after(61);
  watch.swept({ started: 0, sent: 0, failed: 0 });
  expect(watch.failing()).toBe(false);
});
