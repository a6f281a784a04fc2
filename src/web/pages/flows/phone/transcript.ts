import { unreachable } from '../../../../shared/unreachable.ts';
import type { components } from '../../../api/paths.gen.d.ts';
import type { PhoneInput } from './session.ts';

export type Simulation = components['schemas']['Simulation'];

type Message = Simulation['messages'][number];
type Change = Simulation['changes'][number];
export type Request = Simulation['requests'][number];
export type Taken = Simulation['inputs'][number];
type Started = Simulation['started_flows'][number];

/** One thing that a conversation shows. `blockId`: the block that did it. */
export type Entry =
  | { type: 'says'; blockId: string; message: Message }
  /** An input, with what became of it; undefined for one that was not taken. */
  | { type: 'input'; index: number; input: PhoneInput; taken: Taken | undefined }
  /** The attempts of one request, which is the `visit`th one of its block in the whole conversation. */
  | { type: 'request'; blockId: string; visit: number; attempts: readonly Request[] }
  | { type: 'changes'; blockId: string; changes: readonly Change[] }
  | { type: 'starts'; blockId: string; started: Started };

type Placed = { order: number; entry: Entry };

/** A played conversation in the order in which it happened. Inputs that were not taken come last. */
export const tellAll = (simulation: Simulation, inputs: readonly PhoneInput[]): Entry[] => {
  const { messages, requests, changes, started_flows: started, inputs: taken } = simulation;
  const placed: Placed[] = [
    ...messages.map((message) => ({
      order: message.order,
      entry: { type: 'says' as const, blockId: message.block_id, message },
    })),
    ...gatherRequests(requests),
    ...changes.map((change) => ({
      order: change.order,
      entry: { type: 'changes' as const, blockId: change.block_id, changes: [change] },
    })),
    ...started.map((one) => ({
      order: one.order,
      entry: { type: 'starts' as const, blockId: one.block_id, started: one },
    })),
    ...inputs.map((input, index) => ({
      order: taken[index]?.order ?? Infinity,
      entry: { type: 'input' as const, index, input, taken: taken[index] },
    })),
  ];
  return gatherChanges(placed.toSorted((a, b) => a.order - b.order).map(({ entry }) => entry));
};

const gatherRequests = (requests: readonly Request[]): Placed[] => {
  const places = new Map<string, { order: number; entry: Entry & { type: 'request' } }>();
  const counts = new Map<string, number>();
  for (const request of requests) {
    const { order, run, block_id: blockId, visit } = request;
    const key = JSON.stringify([run, blockId, visit]);
    const known = places.get(key);
    const count = (counts.get(blockId) ?? 0) + (known ? 0 : 1);
    counts.set(blockId, count);
    const attempts = [...(known?.entry.attempts ?? []), request];
    places.set(key, {
      order: known?.order ?? order,
      entry: { type: 'request', blockId, visit: known?.entry.visit ?? count, attempts },
    });
  }
  return [...places.values()];
};

/** Changes of one block that follow one another are told together. */
const gatherChanges = (entries: readonly Entry[]): Entry[] => {
  const gathered: Entry[] = [];
  for (const entry of entries) {
    const last = gathered.at(-1);
    if (entry.type === 'changes' && last?.type === 'changes' && last.blockId === entry.blockId)
      gathered[gathered.length - 1] = { ...last, changes: [...last.changes, ...entry.changes] };
    else gathered.push(entry);
  }
  return gathered;
};

/** What makes two entries the same to whoever reads them. */
const signOf = (entry: Entry): string => {
  switch (entry.type) {
    case 'says':
      return JSON.stringify([
        'says',
        entry.message.text,
        entry.message.image_url,
        entry.message.attachments.map(({ type, name }) => [type, name]),
        entry.message.quick_replies,
        entry.message.sent_at,
      ]);
    case 'input':
      return JSON.stringify(['input', entry.input, entry.taken?.to, entry.taken?.because]);
    case 'request':
      return JSON.stringify([
        'request',
        entry.attempts.map(({ method, url, body, status_code: status, port }) => [method, url, body, status, port]),
      ]);
    case 'changes':
      return JSON.stringify(['changes', entry.changes.map(({ type, name, value }) => [type, name, value])]);
    case 'starts':
      return JSON.stringify(['starts', entry.started.flow_id, entry.started.params]);
    default:
      return unreachable(entry);
  }
};

/** Where two conversations part: the place of the first entry that is another one, or that only one of them has; undefined where none is. */
export const findParting = (before: readonly Entry[], after: readonly Entry[]): number | undefined => {
  const length = Math.max(before.length, after.length);
  for (let index = 0; index < length; index += 1) {
    const [was, is] = [before[index], after[index]];
    if (!was || !is || signOf(was) !== signOf(is)) return index;
  }
  return undefined;
};

/** The values of a contact as blocks have set them, latest last: the newest of each name alone. */
export const latestChanges = (changes: readonly Change[]): Change[] => {
  const latest = new Map<string, Change>();
  for (const change of changes) {
    const key = JSON.stringify([change.type, change.name]);
    latest.delete(key);
    latest.set(key, change);
  }
  return [...latest.values()];
};
