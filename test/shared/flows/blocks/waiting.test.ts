import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/shared/custom-fields/values.ts';
import { durationMs } from '../../../../src/shared/flows/blocks/durations.ts';
import { nextInWindow } from '../../../../src/shared/flows/blocks/windows.ts';
import { readInstant } from '../../../../src/shared/times/read-time.ts';
import { enter, isBlock, resume } from '../../../helpers/blocks.ts';
import { aField, aBlockContext } from '../../../helpers/block-context.ts';

test.for([
  ['PT1S', 1_000],
  ['PT1H30M', 5_400_000],
  ['P3D', 259_200_000],
  ['P1W', 604_800_000],
  ['P1DT12H', 129_600_000],
  ['P365D', 31_536_000_000],
  ['P366D', undefined],
  ['PT0S', undefined],
  ['P1M', undefined],
  ['P1Y', undefined],
  ['PT1.5H', undefined],
  ['-PT1H', undefined],
  ['P', undefined],
  ['PT', undefined],
  ['1h', undefined],
  ['', undefined],
] as const)('the duration %s is %j ms', ([iso, ms]) => {
  expect(durationMs(iso)).toBe(ms);
});

describe('the clock of a zone', () => {
  test.for([
    // Gaps: the next instant that there is.
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:00:00Z'],
    ['America/New_York', '2026-03-08T02:15', '2026-03-08T07:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-04T02:10', '2026-10-03T15:30:00Z'],
    ['America/Santiago', '2026-09-06T00:30', '2026-09-06T04:00:00Z'],
    ['Pacific/Apia', '2011-12-30T12:00', '2011-12-30T10:00:00Z'],
    // Overlaps: the first of the two.
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00Z'],
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00Z'],
    ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45:00Z'],
    ['Atlantic/Azores', '2026-10-25T00:30', '2026-10-25T00:30:00Z'],
    // Neither.
    ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00:00Z'],
    ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59:00Z'],
    ['Asia/Kathmandu', '2026-03-29T12:00', '2026-03-29T06:15:00Z'],
    ['UTC', '2026-03-29', '2026-03-29T00:00:00Z'],
  ] as const)('%s shows %s at %s', ([zone, local, instant]) => {
    expect(readInstant(local, zone)).toEqual({ ok: true, instant: new Date(instant) });
  });
});

describe('windows', () => {
  const weekday = {
    days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
    from: '09:00',
    to: '17:00',
  } as const;
  test.for([
    // In the window, before it, after it, over a weekend.
    ['2026-03-04T10:00:00Z', weekday, 'Europe/Berlin', '2026-03-04T10:00:00Z'],
    ['2026-03-04T07:59:59Z', weekday, 'Europe/Berlin', '2026-03-04T08:00:00Z'],
    ['2026-03-04T16:00:00Z', weekday, 'Europe/Berlin', '2026-03-05T08:00:00Z'],
    ['2026-03-06T20:00:00Z', weekday, 'Europe/Berlin', '2026-03-09T08:00:00Z'],
    // The same instant elsewhere.
    ['2026-03-04T10:00:00Z', weekday, 'America/New_York', '2026-03-04T14:00:00Z'],
    ['2026-03-06T20:00:00Z', weekday, 'Pacific/Kiritimati', '2026-03-08T19:00:00Z'],
    // Over midnight: the day is that on which it opens.
    ['2026-03-07T01:00:00Z', { days: ['friday'], from: '22:00', to: '06:00' }, 'UTC', '2026-03-07T01:00:00Z'],
    ['2026-03-07T06:00:00Z', { days: ['friday'], from: '22:00', to: '06:00' }, 'UTC', '2026-03-13T22:00:00Z'],
    // Whole days.
    ['2026-03-07T01:00:00Z', { days: ['monday'], from: '00:00', to: '00:00' }, 'UTC', '2026-03-09T00:00:00Z'],
    ['2026-03-09T23:59:59Z', { days: ['monday'], from: '00:00', to: '00:00' }, 'UTC', '2026-03-09T23:59:59Z'],
    // Opens in a gap; is swallowed by one; opens in an overlap.
    ['2026-03-29T00:00:00Z', { from: '02:30', to: '04:00' }, 'Europe/Berlin', '2026-03-29T01:00:00Z'],
    ['2026-03-29T00:00:00Z', { from: '02:15', to: '02:45' }, 'Europe/Berlin', '2026-03-30T00:15:00Z'],
    ['2026-03-29T00:00:00Z', { days: ['sunday'], from: '02:15', to: '02:45' }, 'Europe/Berlin', '2026-04-05T00:15:00Z'],
    ['2026-10-24T23:00:00Z', { from: '02:30', to: '04:00' }, 'Europe/Berlin', '2026-10-25T00:30:00Z'],
  ] as const)('from %s, %j in %s is next open at %s', ([start, window, zone, expected]) => {
    const days = 'days' in window ? [...window.days] : undefined;
    expect(nextInWindow(new Date(start), { ...window, days }, zone)).toEqual(new Date(expected));
  });
});

describe('delay', () => {
  const now = '2026-03-04T10:00:00Z';

  test('waits for its time from when it was entered, and then goes on', () => {
    expect(enter({ type: 'delay', for: 'PT2H' }, aBlockContext({ now }))).toEqual({
      type: 'wait',
      for: 'delay',
      until: new Date('2026-03-04T12:00:00Z'),
    });
    const later = aBlockContext({ now: '2026-03-04T12:00:00Z', step: { enteredAt: new Date(now) } });
    expect(resume({ type: 'delay', for: 'PT2H' }, later, { type: 'due' })).toEqual({ type: 'go', port: 'default' });
    expect(resume({ type: 'delay', for: 'PT2H' }, later, { type: 'reply', text: 'hi', seq: 1 })).toBeUndefined();
  });

  test.for([
    ['{{appointment}}', '2026-03-04T15:00:00Z'],
    ['{{appointment|date:"YYYY-MM-DD"}}', '2026-03-03T23:00:00Z'],
    ['2026-03-05', '2026-03-04T23:00:00Z'],
    ['2026-03-05 08:30', '2026-03-05T07:30:00Z'],
    ['2026-03-29T02:30', '2026-03-29T01:00:00Z'],
    ['2026-03-05T08:30:00Z', '2026-03-05T08:30:00Z'],
  ] as const)('until %s waits for %s on the contact’s clock', ([until, expected]) => {
    const contact = { timeZone: 'Europe/Berlin', fields: { appointment: '2026-03-04T15:00:00.000Z' } };
    const context = aBlockContext({ now, contact, fields: [aField('appointment', 'datetime')] });
    const move = enter({ type: 'delay', until }, context);
    const end = new Date(expected);
    expect(move).toEqual(
      end > context.now ? { type: 'wait', for: 'delay', until: end } : { type: 'go', port: 'default' },
    );
  });

  test.for([
    ['soon', 'invalid_date'],
    ['{{last_name}}', 'invalid_date'],
    ['2027-03-05', 'date_too_far'],
  ])('until %j fails the run: %s', ([until, reason]) => {
    expect(enter({ type: 'delay', until }, aBlockContext({ now }))).toEqual({ type: 'fail', reason });
  });

  test('a window puts the end off, in the zone that the contact has by then', () => {
    const block = { type: 'delay', for: 'PT1H', window: { from: '09:00', to: '10:00' } };
    const step = { enteredAt: new Date(now) };
    expect(enter(block, aBlockContext({ now }))).toMatchObject({ until: new Date('2026-03-05T09:00:00Z') });
    const moved = aBlockContext({ now: '2026-03-04T13:30:00Z', contact: { timeZone: 'America/New_York' }, step });
    expect(resume(block, moved, { type: 'due' })).toMatchObject({ until: new Date('2026-03-04T14:00:00Z') });
    const held = aBlockContext({ now: '2026-03-05T11:00:00Z', step });
    expect(resume(block, held, { type: 'due' })).toMatchObject({ until: new Date('2026-03-06T09:00:00Z') });
    const open = aBlockContext({ now: '2026-03-05T09:30:00Z', step });
    expect(resume(block, open, { type: 'due' })).toEqual({ type: 'go', port: 'default' });
  });

  test('an unknown zone of a contact is its account’s', () => {
    const block = { type: 'delay', window: { from: '09:00', to: '10:00' } };
    const context = aBlockContext({ now, contact: { timeZone: 'Mars/Olympus' }, accountZone: 'America/New_York' });
    expect(enter(block, context)).toMatchObject({ until: new Date('2026-03-04T14:00:00Z') });
  });
});

describe('wait_event', () => {
  const block = { type: 'wait_event', event: 'tag_applied', timeout: 'P1D', fresh: true };
  const rules = [{ field: 'event.tag.name', op: 'is', value: '{{params.tag}}' }];
  const event = {
    type: 'event',
    seq: 1,
    name: 'tag_applied',
    data: { tag: { name: 'VIP' } },
    at: new Date('2026-03-04T11:00:00Z'),
  } as const;
  const context = aBlockContext({
    now: '2026-03-04T12:00:00Z',
    run: { params: { tag: 'vip' } },
    step: { enteredAt: new Date('2026-03-04T10:00:00Z') },
  });

  test('waits for its time', () => {
    expect(enter(block, context)).toEqual({ type: 'wait', for: 'event', until: new Date('2026-03-05T12:00:00Z') });
    expect(resume(block, context, { type: 'due' })).toEqual({ type: 'go', port: 'timeout' });
  });

  test('takes the event that its rules are about, and leaves others', () => {
    expect(resume({ ...block, rules }, context, event)).toEqual({ type: 'go', port: 'received' });
    expect(resume({ ...block, rules }, context, { ...event, data: { tag: { name: 'other' } } })).toBeUndefined();
    expect(resume(block, context, { ...event, name: 'order_placed' })).toBeUndefined();
    expect(resume(block, context, { type: 'reply', text: 'VIP', seq: 1 })).toBeUndefined();
  });

  test('fresh: takes only what happened since it was entered', () => {
    const earlier = { ...event, at: new Date('2026-03-04T09:59:59Z') };
    expect(resume(block, context, earlier)).toBeUndefined();
    expect(resume({ ...block, fresh: false }, context, earlier)).toEqual({ type: 'go', port: 'received' });
  });
});

describe('start_flow', () => {
  const flowId = 'flow_01jd6z3qf5e8pb2zv0w8c4x1kn';
  const block = { type: 'start_flow', flow_id: flowId, params: { size: '{{size}}', n: 7, text: 'for {{first_name}}' } };
  const context = aBlockContext({ fields: [aField('size', 'list')], contact: { fields: { size: ['S', 'M'] } } });
  const effects = [{ type: 'start_flow', flowId, mode: 'child', params: { size: ['S', 'M'], n: 7, text: 'for Ada' } }];

  test('a child is waited for, and its failure is the run’s', () => {
    expect(enter(block, context)).toEqual({ type: 'wait', for: 'child', effects });
    expect(resume(block, context, { type: 'child_ended', seq: 1, status: 'completed' })).toEqual({
      type: 'go',
      port: 'default',
    });
    expect(resume(block, context, { type: 'child_ended', seq: 1, status: 'failed' })).toEqual({
      type: 'fail',
      reason: 'child_failed',
    });
    expect(resume(block, context, { type: 'child_ended', seq: 1, status: 'cancelled' })).toEqual({
      type: 'fail',
      reason: 'child_cancelled',
    });
    expect(resume(block, context, { type: 'due' })).toBeUndefined();
  });

  test('params that could not be stored fail the run', () => {
    const deep: Json = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
    const config = { ...block, params: { x: '{{params.deep}}' } };
    expect(enter(config, aBlockContext({ run: { params: { deep } } }))).toEqual({
      type: 'fail',
      reason: 'invalid_value',
    });
  });

  test('a switch ends the run', () => {
    expect(enter({ ...block, mode: 'switch' }, context)).toEqual({
      type: 'end',
      reason: 'switched',
      effects: [{ ...effects[0], mode: 'switch' }],
    });
  });

  test.for(['flow_x', 'con_01jd6z3qf5e8pb2zv0w8c4x1kn', ''])('%j is no id of a flow', (id) => {
    expect(isBlock({ type: 'start_flow', flow_id: id })).toBe(false);
  });
});
