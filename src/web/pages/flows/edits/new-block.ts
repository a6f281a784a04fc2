import type { RawBlock } from '../../../../shared/flows/raw-blocks.ts';

/** What a new block of each type has: valid, or nearly so, where only its writer knows. */
const defaults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  send: { messages: [{ text: '' }] },
  ask: { prompt: '', expects: 'text' },
  condition: { match: 'all', rules: [{ field: '', op: 'is_set' }] },
  delay: { for: 'PT1H' },
  set_field: { field: '', value: '' },
  clear_field: { field: '' },
  add_tag: { tag: '' },
  remove_tag: { tag: '' },
  split: { weights: { a: 50, b: 50 } },
  external_request: { method: 'GET', url: '' },
  wait_event: { event: 'order_placed' },
  start_flow: { flow_id: '', mode: 'child' },
  handover: { reason: '', wait: true },
  close_conversation: {},
  goto: {},
  end: {},
};

/** A block as it is when it is added. */
export const newBlock = (type: string, id: string): RawBlock => ({
  id,
  type,
  ...structuredClone(defaults[type] ?? {}),
});
