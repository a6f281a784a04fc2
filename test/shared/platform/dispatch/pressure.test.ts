import { expect, onTestFinished, test, vi } from 'vitest';
import { createPressure } from '../../../../src/shared/platform/dispatch/pressure.ts';

/** A clock and an event loop of the test's. */
const aMachine = () => {
  let nowMs = 1_000;
  let utilization = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => ({ idle: 0, active: 0, utilization }));
  onTestFinished(() => void vi.restoreAllMocks());
  return {
    after: (ms: number) => void (nowMs += ms),
    use: (share: number) => void (utilization = share),
  };
};

test('pressure is high while the event loop is busy, until it is idle again', () => {
  const machine = aMachine();
  const pressure = createPressure();
  machine.after(100);
  expect(pressure.isHigh()).toBe(false);
  machine.use(0.9);
  machine.after(100);
  expect(pressure.isHigh()).toBe(true);
  machine.use(0.1);
  machine.after(100);
  expect(pressure.isHigh()).toBe(false);
});

test('pressure is high when statements slow down, not when they were always slow', () => {
  const { after } = aMachine();
  const pressure = createPressure();
  const take = (ms: number, times: number) => {
    for (let time = 0; time < times; time += 1) {
      after(20);
      pressure.note(ms);
    }
  };
  take(2, 50);
  expect(pressure.isHigh()).toBe(false);
  take(30, 5);
  expect(pressure.isHigh()).toBe(true);
  take(2, 50);
  expect(pressure.isHigh()).toBe(false);
  after(2_000);
  take(30, 5_000);
  expect(pressure.isHigh()).toBe(false);
});

test('slow statements count for one second', () => {
  const { after } = aMachine();
  const pressure = createPressure();
  pressure.note(1);
  pressure.note(200);
  expect(pressure.isHigh()).toBe(true);
  after(1_001);
  expect(pressure.isHigh()).toBe(false);
});
