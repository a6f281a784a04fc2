import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Course, Walks } from './walks.ts';

export const count = { id: 'count', type: 'set_field', field: 'counted', op: 'increment', value: 1 };

export const send = (text: string) => ({ id: 'tell', type: 'send', messages: [{ text }] });

/** An External Request whose answer is mapped to a field. */
export const call = (id: string, url: string, more: object = {}) => ({
  id,
  type: 'external_request',
  method: 'PUT',
  url: `${url}${id}`,
  body: '{"size": "{{size}}"}',
  mapping: [{ path: '$.number', field: 'order' }],
  ...more,
});

/** A block of each kind that waits for somebody. */
export const allWaits: Course = {
  blocks: (url) => [
    { id: 'size', type: 'ask', prompt: 'Which size?', save_to: 'size', next: { timeout: null } },
    count,
    call('order', url),
    { id: 'paid', type: 'wait_event', event: 'tag_applied' },
    send('Order {{order}} of size {{size}}'),
  ],
  steps: ['size: answered', 'count: default', 'order: success', 'paid: received', 'tell: default'],
  fields: { size: 'L', counted: 1, order: 7 },
  messages: ['Which size?', 'Order 7 of size L'],
};

/** So that whatever breaks catches requests and messages under way. */
export const takeSlowly = async () => {
  await sleep(100);
  return { type: 'respond', body: '{"number": 7}' } as const;
};

/** Has the contacts go on by themselves until they are stopped, at the end of the test at the latest. */
export const goingOn = (walks: Walks): { going: Promise<void>; stop: () => void } => {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  onTestFinished(stop);
  return { going: walks.goOn(stopped.signal), stop };
};
