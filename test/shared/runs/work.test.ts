import { expect, test } from 'vitest';
import { newUuid } from '../../../src/shared/ids.ts';
import type { First } from '../../../src/shared/runs/types.ts';
import { runWork } from '../../../src/shared/runs/work.ts';

const call: First = { type: 'call', step: 1, blockId: 'stock', timeoutMs: 10_000, lane: 'acme/shop' };

test.each([
  ['a pass', undefined, true],
  ['a request in its workflow task', { ...call, local: true } as const, true],
  ['a request that any process may make', call, false],
  ['a wait', { type: 'wait', step: 1, blockId: 'size', waiting: 'reply', dueInMs: 60_000 } as const, false],
  ['its end', { type: 'over', status: 'completed' } as const, false],
])('the start of a run that begins with %s is paced where this process does that: %#', (_with, first, paced) => {
  const id = newUuid();
  const row = { id, accountId: id, contactId: id, flowId: id, version: 1, resumes: 0, isOver: false };
  expect(runWork.isPaced?.({ ...row, ...(first && { first }) })).toBe(paced);
});

test('a start that has waited tells how much of the time of a wait is left', () => {
  const id = newUuid();
  const first = { type: 'wait', step: 1, blockId: 'size', waiting: 'reply', dueInMs: 60_000, dueAt: 90_000 } as const;
  const row = { id, accountId: id, contactId: id, flowId: id, version: 1, resumes: 0, isOver: false, first };
  const [input] = runWork.start(row, { eager: false, settled: true, waitedMs: 1_500.4 }).args;
  expect(input).toMatchObject({ first: { ...first, dueInMs: 58_500 } });
});
