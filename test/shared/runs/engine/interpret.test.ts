import { describe, expect, test } from 'vitest';
import { interpret } from '../../../../src/shared/runs/engine/interpret.ts';
import {
  aBlock,
  aPlan,
  aReply,
  aSnapshot,
  ask,
  delay,
  goOn,
  noon,
  passAgain,
  request,
  snapshotAfter,
  waitEvent,
} from './snapshots.ts';

const inMs = (ms: number): Date => new Date(noon.getTime() + ms);
const hour = 3_600_000;

const untilIn = (ms: number) => ({ dueInMs: ms, dueAt: inMs(ms).getTime() });

const answered = (port: 'success' | 'error', more: object = {}) =>
  ({ type: 'request_ended', port, fields: [], ...more }) as const;

describe('a pass', () => {
  test('a pass walks through blocks that do not wait, each with its step, to the end', () => {
    const pass = interpret(aSnapshot({ plan: aPlan({ a: goOn(), b: goOn() }) }));
    expect(pass.next).toEqual({ type: 'over', status: 'completed' });
    expect(pass.steps).toMatchObject([
      { number: 1, blockId: 'a', visit: 1, status: 'done', port: 'default' },
      { number: 2, blockId: 'b', visit: 1, status: 'done', port: 'default' },
    ]);
  });

  test('a later block sees what an earlier one has set', () => {
    const set = goOn({ effects: [{ type: 'set_field', key: 'size', value: 'M' }] });
    const reader = aBlock({
      enter: (_config, { contact }) => ({ type: 'go', port: contact.fields['size'] === 'M' ? 'default' : 'wrong' }),
    });
    const pass = interpret(aSnapshot({ plan: aPlan({ set, reader }) }));
    expect(pass.steps[1]?.port).toBe('default');
  });

  test('a pass enters twenty blocks, and the next one goes on from there', () => {
    const plan = aPlan(Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`b${index}`, goOn()])));
    const first = interpret(aSnapshot({ plan }));
    expect(first.next).toEqual({ type: 'more' });
    expect(first.run.step).toBe(20);
    const pass = passAgain(first);
    expect(pass.steps.map(({ number }) => number)).toEqual([21, 22, 23, 24, 25]);
    expect(pass.next).toEqual({ type: 'over', status: 'completed' });
  });

  test('a run fails after a hundred blocks without a wait', () => {
    const plan = aPlan({ a: goOn(), b: goOn() }, { 'b.default': 'a' });
    let pass = interpret(aSnapshot({ plan }));
    for (let passes = 1; passes < 5; passes += 1) {
      expect(pass.next).toEqual({ type: 'more' });
      pass = passAgain(pass);
    }
    expect(pass.run.step).toBe(100);
    expect(pass.next).toMatchObject({ type: 'over', status: 'failed', reason: 'loop_guard' });
  });

  test('a run fails after ten thousand blocks, with whatever waits in between', () => {
    const plan = aPlan({ a: goOn(), d: delay() }, { 'd.default': 'a' });
    let pass = interpret(aSnapshot({ plan }));
    for (let passes = 0; pass.next.type === 'wait' && passes < 20_000; passes += 1)
      pass = passAgain(pass, { due: pass.run.step });
    expect(pass.run.step).toBe(10_000);
    expect(pass.next).toMatchObject({ type: 'over', status: 'failed', reason: 'loop_guard' });
  });

  test('a wait restarts the count of blocks without a wait', () => {
    const plan = aPlan({ a: goOn(), d: delay() }, { 'd.default': 'a' });
    let pass = interpret(aSnapshot({ plan }));
    for (let passes = 0; passes < 150; passes += 1) {
      expect(pass.next).toMatchObject({ type: 'wait', waiting: 'delay' });
      pass = passAgain(pass, { due: pass.run.step });
    }
  });

  test('a run that leaves by an open port fails with the reason of the step', () => {
    const plan = aPlan({ a: goOn({ port: 'error', reason: 'status_500' }) }, { 'a.error': 'fails' });
    expect(interpret(aSnapshot({ plan })).next).toMatchObject({ type: 'over', status: 'failed', reason: 'status_500' });
  });

  test('a run of a paused flow waits, and goes on where it stood', () => {
    const plan = aPlan({ a: goOn(), b: goOn() });
    const paused = interpret(aSnapshot({ plan, flowIsPaused: true }));
    expect(paused.next).toEqual({ type: 'wait', step: 0, blockId: '', waiting: 'paused' });
    const pass = passAgain(paused, { flowIsPaused: false });
    expect(pass.next).toEqual({ type: 'over', status: 'completed' });
  });
});

describe('an ask', () => {
  const plan = aPlan({ size: ask(), done: goOn() }, { 'size.timeout': 'fails' });
  const asked = () => interpret(aSnapshot({ plan }));

  test('an ask sends its prompt, takes the foreground and waits with a deadline', () => {
    const pass = asked();
    expect(pass.next).toEqual({ type: 'wait', step: 1, blockId: 'size', waiting: 'reply', ...untilIn(hour) });
    expect(pass.effects).toMatchObject([{ step: 1, position: 0, type: 'send' }]);
    expect(pass.foreground).toBe('run-1');
    expect(pass.run.afterSeq).toBe(Infinity);
  });

  test('an ask takes the first message after its prompt, once', () => {
    const answered = passAgain(asked(), { inputs: [aReply(21, 'M'), aReply(22, 'L')] });
    expect(answered.taken).toEqual([{ seq: 21, step: 1 }]);
    expect(answered.context.run.reply).toEqual({ text: 'M' });
    expect(answered.next).toEqual({ type: 'over', status: 'completed' });
    expect(answered.foreground).toBeNull();
  });

  test('an ask passes over a message from before its prompt', () => {
    const next = passAgain(asked(), { inputs: [aReply(15, 'M')] });
    expect(next.taken).toEqual([]);
    expect(next.next).toMatchObject({ type: 'wait', waiting: 'reply' });
  });

  test('an early ask takes a message that came since the message before its prompt', () => {
    const early = aPlan({ first: ask(), call: request(), second: ask({ early: true }) });
    const calling = passAgain(interpret(aSnapshot({ plan: early })), { inputs: [aReply(21, 'M')] });
    expect(calling.next).toEqual({ type: 'call', step: 2, blockId: 'call' });
    const pass = passAgain(calling, { inputs: [answered('success'), aReply(22, 'blue')] });
    expect(pass.taken).toEqual([{ seq: 22, step: 3 }]);
    expect(pass.next).toEqual({ type: 'over', status: 'completed' });
  });

  test('an ask repeats its prompt after an invalid answer, with the same deadline', () => {
    const again = passAgain(asked(), { now: inMs(60_000), inputs: [aReply(21, 'no')] });
    expect(again.effects).toMatchObject([{ step: 1, position: 1 }]);
    expect(again.steps).toMatchObject([{ number: 1, status: 'open', tries: 1 }]);
    expect(again.next).toMatchObject({ waiting: 'reply', dueInMs: hour - 60_000 });
  });

  test('an ask takes a second answer that came right behind the invalid one', () => {
    const next = passAgain(asked(), { inputs: [aReply(21, 'no'), aReply(22, 'M')] });
    expect(next.taken).toEqual([
      { seq: 21, step: 1 },
      { seq: 22, step: 1 },
    ]);
    expect(next.next).toEqual({ type: 'over', status: 'completed' });
  });

  test('an ask prefers an answer that was in time to the timer that has fired', () => {
    const next = passAgain(asked(), { due: 1, now: inMs(hour), inputs: [aReply(21, 'M')] });
    expect(next.steps[0]?.port).toBe('answered');
  });

  test.each([
    ['when its timer fires, whatever the clock of the database says', { due: 1, now: noon }],
    ['when the clock has passed its time, whatever the timer says', { due: undefined, now: inMs(hour) }],
  ])('an ask times out %s', (_how, change) => {
    const next = passAgain(asked(), change);
    expect(next.steps[0]?.port).toBe('timeout');
    expect(next.next).toMatchObject({ type: 'over', status: 'failed', reason: 'size: timeout' });
  });

  test('an ask ignores the timer of another step', () => {
    expect(passAgain(asked(), { due: 7 }).next).toMatchObject({ waiting: 'reply' });
  });

  test.each(['no_channel', 'blocked', 'unsubscribed'] as const)(
    'an ask that cannot be sent leaves by its port failed: %s',
    (unsendable) => {
      const pass = interpret(aSnapshot({ plan: aPlan({ size: ask() }), unsendable }));
      expect(pass.steps).toMatchObject([{ port: 'failed', reason: unsendable }]);
      expect(pass.effects).toEqual([]);
    },
  );
});

describe('the foreground', () => {
  const plan = aPlan({ size: ask(), wait: delay(), done: goOn() });

  test('an ask waits without a prompt while another family has the foreground', () => {
    const held = interpret(aSnapshot({ plan, foreground: 'run-9' }));
    expect(held.next).toEqual({ type: 'wait', step: 1, blockId: 'size', waiting: 'foreground' });
    expect(held.effects).toEqual([]);
    const pass = passAgain(held, { foreground: 'run-1' });
    expect(pass.next).toMatchObject({ waiting: 'reply' });
    expect(pass.effects).toHaveLength(1);
  });

  test('a run keeps the foreground between two asks and gives it back at a delay', () => {
    const two = aPlan({ first: ask(), second: ask(), wait: delay() });
    const second = passAgain(interpret(aSnapshot({ plan: two })), { inputs: [aReply(21, 'M')] });
    expect(second.foreground).toBe('run-1');
    const pass = passAgain(second, { inputs: [aReply(31, 'L')], sentSeq: 30 });
    expect(pass.next).toMatchObject({ waiting: 'delay' });
    expect(pass.foreground).toBeNull();
  });

  test('losing the foreground stops the clock of an ask until the foreground is back', () => {
    const interrupted = passAgain(interpret(aSnapshot({ plan })), { now: inMs(hour / 4), foreground: 'run-9' });
    expect(interrupted.next).toEqual({ type: 'wait', step: 1, blockId: 'size', waiting: 'foreground' });
    expect(interrupted.run.leftMs).toBe((hour / 4) * 3);
    const pass = passAgain(interrupted, { now: inMs(9 * hour), foreground: 'run-1' });
    expect(pass.next).toMatchObject({ waiting: 'reply', dueInMs: (hour / 4) * 3 });
    expect(pass.effects).toEqual([]);
  });

  test('a child asks while its own family has the foreground', () => {
    const child = aSnapshot({ plan, run: { id: 'run-2', rootRunId: 'run-1' }, foreground: 'run-1' });
    expect(interpret(child).next).toMatchObject({ waiting: 'reply' });
  });

  test('the foreground stays with the family when a child ends', () => {
    const child = aSnapshot({
      plan: aPlan({ a: goOn() }),
      run: { id: 'run-2', rootRunId: 'run-1' },
      foreground: 'run-1',
    });
    expect(interpret(child)).toMatchObject({ next: { type: 'over' }, foreground: 'run-1' });
  });
});

describe('silence', () => {
  const until = inMs(2 * hour);

  test('silence holds a message back until it is over', () => {
    const held = interpret(aSnapshot({ plan: aPlan({ size: ask() }), silence: { until } }));
    expect(held.next).toMatchObject({ step: 1, waiting: 'silence', dueInMs: 2 * hour });
    expect(held.effects).toEqual([]);
    const pass = passAgain(held, { now: until, silence: null, due: 1 });
    expect(pass.next).toMatchObject({ waiting: 'reply', dueInMs: hour });
  });

  test('silence stops the clock of an ask, and its timer ends nothing but the silence', () => {
    const silent = passAgain(interpret(aSnapshot({ plan: aPlan({ size: ask() }) })), {
      now: inMs(hour / 2),
      silence: { until },
    });
    expect(silent.next).toMatchObject({ waiting: 'silence', dueInMs: 2 * hour - hour / 2 });
    const pass = passAgain(silent, { now: inMs(2 * hour - 5), silence: { until }, due: 1 });
    expect(pass.next).toMatchObject({ waiting: 'reply', dueInMs: hour / 2 });
  });

  test('a lost foreground after a silence stops the clock of an ask only once', () => {
    const silent = passAgain(interpret(aSnapshot({ plan: aPlan({ size: ask() }) })), {
      now: inMs(hour / 2),
      silence: { until },
    });
    const behind = passAgain(silent, { now: until, silence: null, due: 1, foreground: 'run-9' });
    expect(behind.next).toMatchObject({ waiting: 'foreground' });
    const pass = passAgain(behind, { now: inMs(5 * hour), silence: null, foreground: 'run-1' });
    expect(pass.next).toMatchObject({ waiting: 'reply', dueInMs: hour / 2 });
  });

  test('the timer of a silence does not end one that was made longer', () => {
    const held = interpret(aSnapshot({ plan: aPlan({ size: ask() }), silence: { until } }));
    const later = inMs(5 * hour);
    const pass = passAgain(held, { now: inMs(2 * hour), silence: { until: later }, due: 1 });
    expect(pass.next).toMatchObject({ waiting: 'silence', dueInMs: 3 * hour });
    expect(pass.effects).toEqual([]);
  });

  test('silence lets blocks go on that do not write to the contact', () => {
    const pass = interpret(
      aSnapshot({ plan: aPlan({ a: goOn() }), handover: { endsByClosing: true, endsByExpiring: false } }),
    );
    expect(pass.next).toEqual({ type: 'over', status: 'completed' });
  });
});

describe('an event', () => {
  const plan = aPlan({ order: waitEvent(), done: goOn() });
  const anEvent = (seq: number, data: string) => ({ type: 'event', seq, name: 'tag_applied', data, at: noon }) as const;

  test('the oldest event that fits is taken, also when it came before the block', () => {
    const inputs = [anEvent(11, 'other'), anEvent(12, 'it'), anEvent(13, 'it')];
    const pass = interpret(aSnapshot({ plan, inputs }));
    expect(pass.taken).toEqual([{ seq: 12, step: 1 }]);
    expect(pass.context.run.event).toBe('it');
    expect(pass.run.eventSeq).toBe(12);
  });

  test('an event from before the last one that was taken is not taken', () => {
    const pass = interpret(aSnapshot({ plan, run: { eventSeq: 12 }, inputs: [anEvent(11, 'it')] }));
    expect(pass.next).toMatchObject({ type: 'wait', waiting: 'event' });
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

  test('a run waits for the flow that it starts, and goes on when that ends', () => {
    const waiting = interpret(aSnapshot({ plan: aPlan({ c: child('child'), done: goOn() }) }));
    expect(waiting.next).toMatchObject({ waiting: 'child' });
    const ended = (status: 'completed' | 'failed') => ({ type: 'child_ended', seq: 30, status }) as const;
    const next = (status: 'completed' | 'failed') => passAgain(waiting, { inputs: [ended(status)] }).next;
    expect(next('completed')).toEqual({ type: 'over', status: 'completed' });
    expect(next('failed')).toMatchObject({ status: 'failed', reason: 'child_failed' });
  });

  test('a run ends as switched when the contact goes on in another flow', () => {
    const pass = interpret(aSnapshot({ plan: aPlan({ c: child('switch'), done: goOn() }) }));
    expect(pass.next).toEqual({ type: 'over', status: 'completed', reason: 'switched' });
  });

  test('a run fails and starts nothing when the flow that it names cannot be started', () => {
    const targets = new Map([['flow_2', 'flow_archived']]);
    const pass = interpret(aSnapshot({ plan: aPlan({ c: child('child') }), targets }));
    expect(pass.next).toMatchObject({ type: 'over', status: 'failed', reason: 'flow_archived' });
    expect(pass.effects).toEqual([]);
  });
});

describe('a request', () => {
  const plan = aPlan({ stock: request(), reader: goOn(), size: ask() }, { 'stock.error': 'fails' });
  const requested = () => interpret(aSnapshot({ plan }));
  const left = { key: 'left', value: 3 };

  test('every pass asks for the request again until its outcome is there', () => {
    expect(requested().next).toEqual({ type: 'call', step: 1, blockId: 'stock' });
    expect(requested().run).toMatchObject({ status: 'waiting', waiting: 'call' });
    expect(passAgain(requested(), { inputs: [aReply(21, 'M')] }).next).toEqual(requested().next);
  });

  test('the outcome of a request is an input, and the pass goes on behind it', () => {
    const pass = passAgain(requested(), { inputs: [answered('success', { fields: [left] }), aReply(21, 'M')] });
    expect(pass.steps.map(({ blockId, port }) => [blockId, port])).toEqual([
      ['stock', 'success'],
      ['reader', 'default'],
      ['size', null],
    ]);
    expect(pass.effects[0]).toEqual({ type: 'set_field', ...left, step: 1, position: 0 });
    expect(pass.context.contact.fields).toEqual({ left: 3 });
    expect(pass.taken).toEqual([]);
    expect(pass.next).toMatchObject({ type: 'wait', waiting: 'reply' });
  });

  test('a pass of one step takes the outcome of a request, and the next pass goes on behind it', () => {
    const inputs = [answered('success', { fields: [left] })];
    const pass = interpret(snapshotAfter(requested(), { inputs }), { steps: 1 });
    expect(pass.steps).toMatchObject([{ number: 1, status: 'done', port: 'success' }]);
    expect(pass.run).toMatchObject({ status: 'running', waiting: null, stepsSinceWait: 0 });
    expect(pass.next).toEqual({ type: 'more' });
    expect(passAgain(pass).next).toMatchObject({ type: 'wait', waiting: 'reply' });
  });

  test('a run says why its request is held up only until the request has ended', () => {
    const held = requested();
    const inputs = [answered('error', { reason: 'invalid_request' })];
    const pass = passAgain({ ...held, run: { ...held.run, reason: 'origin_down' } }, { inputs });
    expect(pass.next).toMatchObject({ type: 'over', status: 'failed', reason: 'stock: error' });
    const open = aPlan({ stock: request(), size: ask() });
    const goesOn = interpret(aSnapshot({ plan: open, run: { reason: null } }));
    const after = passAgain(
      { ...goesOn, run: { ...goesOn.run, reason: 'origin_down' } },
      { inputs: [answered('success')] },
    );
    expect(after.run.reason).toBeNull();
  });
});
