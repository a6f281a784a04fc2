import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import type { Client } from '@temporalio/client';
import { createSpareStarts, type SpareStartsDeps } from '../../../../src/shared/platform/dispatch/spare-starts.ts';
import type { WorkItem } from '../../../../src/shared/platform/dispatch/work.ts';
import { aDeliveryItem } from '../../../helpers/items.ts';
import { newUuid, showId } from '../../../../src/shared/ids.ts';
import { clientOfSilence } from '../../../helpers/silent-temporal.ts';

const anItem = (accountId: string): WorkItem => aDeliveryItem(accountId, 1);

/** Spare starts whose Temporal takes each start when `take` resolves. */
const aWorld = async (deps: Partial<SpareStartsDeps> & { take?: (workflowId: string) => Promise<void> } = {}) => {
  const { take = async () => {}, ...given } = deps;
  const asked: string[] = [];
  const dropped: WorkItem[] = [];
  const counted: unknown[] = [];
  const client: Client = await clientOfSilence({
    interceptors: {
      workflow: [
        {
          startWithDetails: async ({ options: { workflowId } }) => {
            asked.push(workflowId);
            await take(workflowId);
            return { runId: newUuid(), eagerlyStarted: false };
          },
        },
      ],
    },
  });
  const starts = createSpareStarts({
    client: () => client,
    eager: false,
    settled: () => true,
    starts: { waiting: () => 0 },
    pressure: { isHigh: () => false },
    onDropped: (item) => dropped.push(item),
    metrics: { spare: (outcome) => counted.push(outcome) },
    log: pino({ level: 'silent' }),
    ...given,
  });
  const offer = (item: WorkItem): boolean => {
    const reserved = starts.reserve(item.row.accountId);
    reserved?.start(item);
    return reserved !== undefined;
  };
  return { starts, asked, dropped, counted, offer };
};

const idOf = ({ row }: WorkItem): string => `delivery/${showId('delivery', row.id)}`;

test('spare starts run one at a time, and accounts alternate', async () => {
  let underWay = 0;
  const take = async () => {
    underWay += 1;
    expect(underWay).toBe(1);
    await new Promise(setImmediate);
    underWay -= 1;
  };
  const { starts, asked, offer } = await aWorld({ take });
  const flooding = newUuid();
  const flood = Array.from({ length: 50 }, () => anItem(flooding));
  const modest = anItem(newUuid());
  for (const item of [...flood, modest]) expect(offer(item)).toBe(true);
  await starts.drain();
  expect(asked).toHaveLength(51);
  expect(asked.indexOf(idOf(modest))).toBeLessThan(3);
});

test.each([
  {
    what: 'starts that somebody waits for',
    given: (isBusy: () => boolean) => ({ starts: { waiting: () => Number(isBusy()) } }),
  },
  { what: 'a busy machine', given: (isBusy: () => boolean) => ({ pressure: { isHigh: isBusy } }) },
])('spare starts give way to $what, and go on afterwards', async ({ given }) => {
  let asks = 0;
  const { starts, asked, offer } = await aWorld(given(() => (asks += 1) < 4));
  offer(anItem(newUuid()));
  await vi.waitUntil(() => asks >= 3, { timeout: 10_000, interval: 1 });
  expect(asked).toEqual([]);
  await starts.drain();
  expect(asked).toHaveLength(1);
});

test('one account cannot take all the room for spare starts', async () => {
  const { starts, counted, offer } = await aWorld({ pressure: { isHigh: () => true } });
  const flooding = newUuid();
  const taken = Array.from({ length: 3_000 }, () => offer(anItem(flooding))).filter(Boolean);
  expect(taken).toHaveLength(667);
  expect(offer(anItem(newUuid()))).toBe(true);
  expect(counted).toHaveLength(3_000 - 667);
  starts.stop();
  await starts.drain();
});

test('a failed spare start is dropped and reported, and none is reserved for a while', async () => {
  const { starts, dropped, counted, offer } = await aWorld({
    take: async () => {
      throw new Error('away');
    },
  });
  const [first, second] = [anItem(newUuid()), anItem(newUuid())];
  for (const item of [first, second]) expect(offer(item)).toBe(true);
  await starts.drain();
  expect(dropped).toEqual([first, second]);
  expect(counted).toEqual(['failed', 'dropped']);
  expect(offer(anItem(newUuid()))).toBe(false);
});

test('no spare start is reserved without a connection to Temporal', async () => {
  const { offer } = await aWorld({ client: () => undefined });
  expect(offer(anItem(newUuid()))).toBe(false);
});

test('a process that stops drops the spare starts that wait', async () => {
  const { starts, dropped, offer } = await aWorld({ pressure: { isHigh: () => true } });
  const items = Array.from({ length: 3 }, () => anItem(newUuid()));
  for (const item of items) offer(item);
  starts.stop();
  await starts.drain();
  expect(new Set(dropped)).toEqual(new Set(items));
});
