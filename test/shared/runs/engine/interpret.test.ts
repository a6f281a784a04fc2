import { describe, expect, test } from 'vitest';
import {
  aBlock,
  aPlan,
  aReply,
  aScene,
  ask,
  delay,
  external,
  look,
  lookAgain,
  noon,
  pass,
  waitEvent,
} from './snapshots.ts';

const inMs = (ms: number): Date => new Date(noon.getTime() + ms);
const hour = 3_600_000;

describe('a run goes on', () => {
  test('through blocks that do not wait, each with its step, to the end', () => {
    const { outcome } = look(aScene({ plan: aPlan({ a: pass(), b: pass() }) }));
    expect(outcome.next).toEqual({ type: 'over', status: 'completed' });
    expect(outcome.steps).toMatchObject([
      { number: 1, blockId: 'a', visit: 1, status: 'done', port: 'default' },
      { number: 2, blockId: 'b', visit: 1, status: 'done', port: 'default' },
    ]);
  });

  test('and a later block sees what an earlier one has set', () => {
    const set = pass({ effects: [{ type: 'set_field', key: 'size', value: 'M' }] });
    const reader = aBlock({
      enter: (_config, { contact }) => ({ type: 'go', port: contact.fields['size'] === 'M' ? 'default' : 'wrong' }),
    });
    const { outcome } = look(aScene({ plan: aPlan({ set, reader }) }));
    expect(outcome.steps[1]?.port).toBe('default');
  });

  test('twenty blocks at a time, and then from where it was', () => {
    const plan = aPlan(Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`b${index}`, pass()])));
    const first = look(aScene({ plan }));
    expect(first.outcome.next).toEqual({ type: 'more' });
    expect(first.outcome.run.step).toBe(20);
    const { outcome } = lookAgain(first);
    expect(outcome.steps.map(({ number }) => number)).toEqual([21, 22, 23, 24, 25]);
    expect(outcome.next).toEqual({ type: 'over', status: 'completed' });
  });

  test('no further than a hundred blocks without a wait', () => {
    const plan = aPlan({ a: pass(), b: pass() }, { 'b.default': 'a' });
    let looked = look(aScene({ plan }));
    for (let looks = 1; looks < 5; looks += 1) {
      expect(looked.outcome.next).toEqual({ type: 'more' });
      looked = lookAgain(looked);
    }
    expect(looked.outcome.run.step).toBe(100);
    expect(looked.outcome.next).toMatchObject({ type: 'over', status: 'failed', reason: 'loop_guard' });
  });

  test('and, with waits in between, no further than ten thousand in all', () => {
    const plan = aPlan({ a: pass(), d: delay() }, { 'd.default': 'a' });
    let looked = look(aScene({ plan }));
    for (let looks = 0; looked.outcome.next.type === 'wait' && looks < 20_000; looks += 1)
      looked = lookAgain(looked, { due: looked.outcome.run.step });
    expect(looked.outcome.run.step).toBe(10_000);
    expect(looked.outcome.next).toMatchObject({ type: 'over', status: 'failed', reason: 'loop_guard' });
  });

  test('and a wait begins that count anew', () => {
    const plan = aPlan({ a: pass(), d: delay() }, { 'd.default': 'a' });
    let looked = look(aScene({ plan }));
    for (let looks = 0; looks < 150; looks += 1) {
      expect(looked.outcome.next).toMatchObject({ type: 'wait', waiting: 'delay' });
      looked = lookAgain(looked, { due: looked.outcome.run.step });
    }
  });

  test('into failure by a port that nobody has named, with the reason of the step', () => {
    const plan = aPlan({ a: pass({ port: 'error', reason: 'status_500' }) }, { 'a.error': 'fails' });
    expect(look(aScene({ plan })).outcome.next).toMatchObject({ type: 'over', status: 'failed', reason: 'status_500' });
  });

  test('nowhere while its flow is paused, and goes on where it stood', () => {
    const plan = aPlan({ a: pass(), b: pass() });
    const paused = look(aScene({ plan, flowIsPaused: true }));
    expect(paused.outcome.next).toEqual({ type: 'wait', step: 0, blockId: '', waiting: 'paused' });
    const { outcome } = lookAgain(paused, { flowIsPaused: false });
    expect(outcome.next).toEqual({ type: 'over', status: 'completed' });
  });
});

describe('an ask', () => {
  const plan = aPlan({ size: ask(), done: pass() }, { 'size.timeout': 'fails' });
  const asked = () => look(aScene({ plan }));

  test('sends its prompt, takes the foreground and waits with a deadline', () => {
    const { outcome } = asked();
    expect(outcome.next).toEqual({ type: 'wait', step: 1, blockId: 'size', waiting: 'reply', dueInMs: hour });
    expect(outcome.effects).toMatchObject([{ step: 1, position: 0, effect: { type: 'send' } }]);
    expect(outcome.foreground).toBe('run-1');
    expect(outcome.run.afterSeq).toBe(Infinity);
  });

  test('takes the first message after its prompt, once', () => {
    const { outcome: answered } = lookAgain(asked(), { arrived: [aReply(21, 'M'), aReply(22, 'L')] });
    expect(answered.taken).toEqual([{ seq: 21, step: 1 }]);
    expect(answered.reply).toEqual({ text: 'M' });
    expect(answered.next).toEqual({ type: 'over', status: 'completed' });
    expect(answered.foreground).toBeNull();
  });

  test('passes over a message from before its prompt', () => {
    const { outcome: next } = lookAgain(asked(), { arrived: [aReply(15, 'M')] });
    expect(next.taken).toEqual([]);
    expect(next.next).toMatchObject({ type: 'wait', waiting: 'reply' });
  });

  test('that is early takes one that came since the message before its prompt', () => {
    const early = aPlan({ first: ask(), call: external(), second: ask({ early: true }) });
    const calling = lookAgain(look(aScene({ plan: early })), { arrived: [aReply(21, 'M')] });
    expect(calling.outcome.next).toEqual({ type: 'call', step: 2, blockId: 'call' });
    const [step] = calling.outcome.steps
      .slice(-1)
      .map((last) => ({ ...last, status: 'done', port: 'success' }) as const);
    const { outcome } = lookAgain(calling, { step, arrived: [aReply(22, 'blue')] });
    expect(outcome.taken).toEqual([{ seq: 22, step: 3 }]);
    expect(outcome.next).toEqual({ type: 'over', status: 'completed' });
  });

  test('asks again after an invalid answer, at another position, until the same deadline', () => {
    const { outcome: again } = lookAgain(asked(), { now: inMs(60_000), arrived: [aReply(21, 'no')] });
    expect(again.effects).toMatchObject([{ step: 1, position: 1 }]);
    expect(again.steps).toMatchObject([{ number: 1, status: 'open', tries: 1 }]);
    expect(again.next).toMatchObject({ waiting: 'reply', dueInMs: hour - 60_000 });
  });

  test('takes a second answer that came right behind the invalid one', () => {
    const { outcome: next } = lookAgain(asked(), { arrived: [aReply(21, 'no'), aReply(22, 'M')] });
    expect(next.taken).toEqual([
      { seq: 21, step: 1 },
      { seq: 22, step: 1 },
    ]);
    expect(next.next).toEqual({ type: 'over', status: 'completed' });
  });

  test('prefers an answer that was in time to the timer that has fired', () => {
    const { outcome: next } = lookAgain(asked(), { due: 1, now: inMs(hour), arrived: [aReply(21, 'M')] });
    expect(next.steps[0]?.port).toBe('answered');
  });

  test.each([
    ['by the timer, whatever the clock of the database says', { due: 1, now: noon }],
    ['by the clock, whatever the timer says', { due: undefined, now: inMs(hour) }],
  ])('is over %s', (_how, change) => {
    const { outcome: next } = lookAgain(asked(), change);
    expect(next.steps[0]?.port).toBe('timeout');
    expect(next.next).toMatchObject({ type: 'over', status: 'failed', reason: 'size: timeout' });
  });

  test('is not over by the timer of another step', () => {
    expect(lookAgain(asked(), { due: 7 }).outcome.next).toMatchObject({ waiting: 'reply' });
  });

  test.each(['no_channel', 'blocked', 'unsubscribed'] as const)('goes on by its port failed: %s', (unsendable) => {
    const { outcome } = look(aScene({ plan: aPlan({ size: ask() }), unsendable }));
    expect(outcome.steps).toMatchObject([{ port: 'failed', reason: unsendable }]);
    expect(outcome.effects).toEqual([]);
  });
});

describe('the foreground', () => {
  const plan = aPlan({ size: ask(), wait: delay(), done: pass() });

  test('is waited for, without a prompt, while another family has it', () => {
    const held = look(aScene({ plan, foreground: 'run-9' }));
    expect(held.outcome.next).toEqual({ type: 'wait', step: 1, blockId: 'size', waiting: 'foreground' });
    expect(held.outcome.effects).toEqual([]);
    const { outcome } = lookAgain(held, { foreground: 'run-1' });
    expect(outcome.next).toMatchObject({ waiting: 'reply' });
    expect(outcome.effects).toHaveLength(1);
  });

  test('is kept between two asks, and given back at a delay', () => {
    const two = aPlan({ first: ask(), second: ask(), wait: delay() });
    const second = lookAgain(look(aScene({ plan: two })), { arrived: [aReply(21, 'M')] });
    expect(second.outcome.foreground).toBe('run-1');
    const { outcome } = lookAgain(second, { arrived: [aReply(31, 'L')], sentSeq: 30 });
    expect(outcome.next).toMatchObject({ waiting: 'delay' });
    expect(outcome.foreground).toBeNull();
  });

  test('that was taken away stops the clock, and what is left of the time goes on when it is back', () => {
    const interrupted = lookAgain(look(aScene({ plan })), { now: inMs(hour / 4), foreground: 'run-9' });
    expect(interrupted.outcome.next).toEqual({ type: 'wait', step: 1, blockId: 'size', waiting: 'foreground' });
    expect(interrupted.outcome.run.leftMs).toBe((hour / 4) * 3);
    const { outcome } = lookAgain(interrupted, { now: inMs(9 * hour), foreground: 'run-1' });
    expect(outcome.next).toMatchObject({ waiting: 'reply', dueInMs: (hour / 4) * 3 });
    expect(outcome.effects).toEqual([]);
  });

  test('is not taken by a child from its own family', () => {
    const child = aScene({ plan, run: { id: 'run-2', rootRunId: 'run-1' }, foreground: 'run-1' });
    expect(look(child).outcome.next).toMatchObject({ waiting: 'reply' });
  });

  test('stays with the family when a child ends', () => {
    const child = aScene({ plan: aPlan({ a: pass() }), run: { id: 'run-2', rootRunId: 'run-1' }, foreground: 'run-1' });
    expect(look(child).outcome).toMatchObject({ next: { type: 'over' }, foreground: 'run-1' });
  });
});

describe('silence', () => {
  const until = inMs(2 * hour);

  test('holds a message back until it is over', () => {
    const held = look(aScene({ plan: aPlan({ size: ask() }), silence: { until } }));
    expect(held.outcome.next).toMatchObject({ step: 1, waiting: 'silence', dueInMs: 2 * hour });
    expect(held.outcome.effects).toEqual([]);
    const { outcome } = lookAgain(held, { now: until, silence: null, due: 1 });
    expect(outcome.next).toMatchObject({ waiting: 'reply', dueInMs: hour });
  });

  test('stops the clock of an ask; its timer says that it is over, and nothing about the ask', () => {
    const silent = lookAgain(look(aScene({ plan: aPlan({ size: ask() }) })), {
      now: inMs(hour / 2),
      silence: { until },
    });
    expect(silent.outcome.next).toMatchObject({ waiting: 'silence', dueInMs: 2 * hour - hour / 2 });
    const { outcome } = lookAgain(silent, { now: inMs(2 * hour - 5), silence: { until }, due: 1 });
    expect(outcome.next).toMatchObject({ waiting: 'reply', dueInMs: hour / 2 });
  });

  test('behind which another family has the conversation stops the clock of an ask once', () => {
    const silent = lookAgain(look(aScene({ plan: aPlan({ size: ask() }) })), {
      now: inMs(hour / 2),
      silence: { until },
    });
    const behind = lookAgain(silent, { now: until, silence: null, due: 1, foreground: 'run-9' });
    expect(behind.outcome.next).toMatchObject({ waiting: 'foreground' });
    const { outcome } = lookAgain(behind, { now: inMs(5 * hour), silence: null, foreground: 'run-1' });
    expect(outcome.next).toMatchObject({ waiting: 'reply', dueInMs: hour / 2 });
  });

  test('that was made longer is not over by the timer of the shorter one', () => {
    const held = look(aScene({ plan: aPlan({ size: ask() }), silence: { until } }));
    const later = inMs(5 * hour);
    const { outcome } = lookAgain(held, { now: inMs(2 * hour), silence: { until: later }, due: 1 });
    expect(outcome.next).toMatchObject({ waiting: 'silence', dueInMs: 3 * hour });
    expect(outcome.effects).toEqual([]);
  });

  test('lets blocks go on that do not write to the contact', () => {
    const { outcome } = look(
      aScene({ plan: aPlan({ a: pass() }), handover: { endsByClosing: true, endsByExpiring: false } }),
    );
    expect(outcome.next).toEqual({ type: 'over', status: 'completed' });
  });
});

describe('an event', () => {
  const plan = aPlan({ order: waitEvent(), done: pass() });
  const anEvent = (seq: number, data: string) =>
    ({ seq, input: { type: 'event', name: 'tag_applied', data, at: noon } }) as const;

  test('that fits is taken, the oldest first, also when it came before the block', () => {
    const arrived = [anEvent(11, 'other'), anEvent(12, 'it'), anEvent(13, 'it')];
    const { outcome } = look(aScene({ plan, arrived }));
    expect(outcome.taken).toEqual([{ seq: 12, step: 1 }]);
    expect(outcome.event).toBe('it');
    expect(outcome.run.eventSeq).toBe(12);
  });

  test('before the last one that was taken does not come again', () => {
    const { outcome } = look(aScene({ plan, run: { eventSeq: 12 }, arrived: [anEvent(11, 'it')] }));
    expect(outcome.next).toMatchObject({ type: 'wait', waiting: 'event' });
  });
});

describe('a flow that a block starts', () => {
  const child = (mode: 'child' | 'switch') =>
    aBlock({
      enter: () => {
        const effects = [{ type: 'start_flow', flowId: 'flow_2', mode, params: {} }] as const;
        return mode === 'child'
          ? { type: 'wait', for: 'child', effects }
          : { type: 'end', reason: 'switched', effects };
      },
      resume: (_config, _context, input) => {
        if (input.type !== 'child_ended') return undefined;
        return input.status === 'completed'
          ? { type: 'go', port: 'default' }
          : { type: 'fail', reason: 'child_failed' };
      },
    });

  test('is waited for, and its end goes on', () => {
    const waiting = look(aScene({ plan: aPlan({ c: child('child'), done: pass() }) }));
    expect(waiting.outcome.next).toMatchObject({ waiting: 'child' });
    const ended = (status: 'completed' | 'failed') => ({ seq: 30, input: { type: 'child_ended', status } }) as const;
    const next = (status: 'completed' | 'failed') => lookAgain(waiting, { arrived: [ended(status)] }).outcome.next;
    expect(next('completed')).toEqual({ type: 'over', status: 'completed' });
    expect(next('failed')).toMatchObject({ status: 'failed', reason: 'child_failed' });
  });

  test('and switched to ends this run, which did not come to its end', () => {
    const { outcome } = look(aScene({ plan: aPlan({ c: child('switch'), done: pass() }) }));
    expect(outcome.next).toEqual({ type: 'over', status: 'completed', reason: 'switched' });
  });

  test('but cannot be, fails the run and starts nothing', () => {
    const targets = new Map([['flow_2', 'flow_archived']]);
    const { outcome } = look(aScene({ plan: aPlan({ c: child('child') }), targets }));
    expect(outcome.next).toMatchObject({ type: 'over', status: 'failed', reason: 'flow_archived' });
    expect(outcome.effects).toEqual([]);
  });
});
