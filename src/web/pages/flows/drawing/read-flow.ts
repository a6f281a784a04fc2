import { triggerSchema, type Trigger } from '../../../../shared/flows/definition/triggers.ts';
import { definitionLimits } from '../../../../shared/flows/definition/definition.ts';
import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import type { AnyDefinition } from '../definition-text.ts';
import { exitOf, portsOf } from '../edits/ports.ts';
import { isId, refsOf } from '../edits/refs.ts';

/** Where a port of a block leads: to another block, by its key, or to none: `missing` is one that is not there. */
export type Way = { port: string } & (
  | { to: string }
  | { end: 'completes' | 'fails' | 'open' | 'again' }
  | { missing: string }
);

/** A block as it is drawn. The same object as long as nothing of it changes. */
export type DrawnBlock = {
  /** Made of its id; by its place in a half-finished draft, where an id may be there twice or not at all. */
  key: string;
  id: string;
  type: string;
  /** What the definition says of it. */
  raw: RawBlock;
  /** One for each of its ports, in their order. */
  ways: readonly Way[];
};

/** A flow as it is drawn, as far as its definition can be read. */
export type DrawnFlow = {
  /** The key of the block that every run begins with. */
  start: string | undefined;
  triggers: readonly Trigger[];
  blocks: readonly DrawnBlock[];
  /** Where blocks stand that somebody has placed, by their keys. */
  positions: ReadonlyMap<string, Position>;
};

export type Position = Readonly<{ x: number; y: number }>;

const drawn = new WeakMap<RawBlock, DrawnBlock>();

/** The key of a block, by what edits name it. */
export const keyOf = (ref: string): string => (isId(ref) ? `id:${ref}` : ref.slice(1));

/** What edits name a block by. */
export const refOf = ({ key }: Pick<DrawnBlock, 'key'>): string => (key.startsWith('id:') ? key.slice(3) : `@${key}`);

/** Reads a definition for its drawing. It may be half-finished: what cannot be read is left out, and what it leads to is missing. */
export const readFlow = (definition: AnyDefinition): DrawnFlow => {
  const { start, blocks: list } = definition;
  const given: readonly unknown[] = Array.isArray(list) ? list.slice(0, definitionLimits.blocks) : [];
  const ids = given.map((block) => (isObject(block) && typeof block['id'] === 'string' ? block['id'] : undefined));
  const refs = refsOf(definition).slice(0, given.length);
  const keysOf = refs.map(keyOf);
  const keys = new Map(refs.filter(isId).map((id) => [id, keyOf(id)] as const));
  const blocks = given.flatMap((raw, index): DrawnBlock[] => {
    if (!isObject(raw)) return [];
    const key = keysOf[index] ?? '';
    const ways = waysOf(raw, { key, following: ids[index + 1], keys });
    const before = drawn.get(raw);
    if (before?.key === key && leadSame(before.ways, ways)) return [before];
    const { type } = raw;
    const block = { key, id: ids[index] ?? '', type: typeof type === 'string' ? type : '', raw, ways };
    drawn.set(raw, block);
    return [block];
  });
  return {
    start: typeof start === 'string' ? keys.get(start) : undefined,
    triggers: readTriggers(definition['triggers']),
    blocks,
    positions: readPositions(definition['ui'], keys),
  };
};

type Around = { key: string; following: string | undefined; keys: ReadonlyMap<string, string> };

const waysOf = (raw: RawBlock, { key, following, keys }: Around): Way[] =>
  portsOf(raw).map((port): Way => {
    const exit = exitOf(raw, port, following);
    if (!('to' in exit)) return { port: port.name, ...exit };
    const to = keys.get(exit.to);
    if (to === undefined) return { port: port.name, missing: exit.to };
    return to === key ? { port: port.name, end: 'again' } : { port: port.name, to };
  });

const whereOf = (way: Way): string => ('to' in way ? way.to : 'end' in way ? way.end : `missing ${way.missing}`);

/** Whether ways have the same ports, which lead to the same. */
export const leadSame = (before: readonly Way[], now: readonly Way[]): boolean =>
  before.length === now.length &&
  before.every((way, index) => {
    const other = now[index];
    return other !== undefined && way.port === other.port && whereOf(way) === whereOf(other);
  });

const readTriggersOf = new WeakMap<readonly unknown[], readonly Trigger[]>();

const noTriggers: readonly Trigger[] = [];

const readTriggers = (given: unknown): readonly Trigger[] => {
  if (!Array.isArray(given)) return noTriggers;
  const known = readTriggersOf.get(given);
  if (known) return known;
  const triggers = given.slice(0, definitionLimits.triggers).flatMap((trigger: unknown): Trigger[] => {
    const parsed = triggerSchema.safeParse(trigger);
    return parsed.success ? [parsed.data] : [];
  });
  readTriggersOf.set(given, triggers);
  return triggers;
};

type Read = { ids: readonly string[]; positions: ReadonlyMap<string, Position> };

const readBefore = new WeakMap<object, Read>();

const noPositions: ReadonlyMap<string, Position> = new Map();

/** The same map as long as the same blocks stand at the same places, so that a key in a text moves nothing. */
const readPositions = (ui: unknown, keys: ReadonlyMap<string, string>): ReadonlyMap<string, Position> => {
  const given = isObject(ui) ? ui['positions'] : undefined;
  if (!isObject(given)) return noPositions;
  const ids = [...keys.keys()];
  const known = readBefore.get(given);
  if (known && isSameList(known.ids, ids)) return known.positions;
  const positions = new Map<string, Position>();
  for (const [id, key] of keys) {
    const at = Object.hasOwn(given, id) ? given[id] : undefined;
    if (isObject(at) && isPlace(at['x']) && isPlace(at['y'])) positions.set(key, { x: at['x'], y: at['y'] });
  }
  readBefore.set(given, { ids, positions });
  return positions;
};

const isSameList = (before: readonly string[], now: readonly string[]): boolean =>
  before.length === now.length && before.every((item, index) => item === now[index]);

/** Farther away than anybody places blocks; numbers beyond would break the drawing. */
const farthest = 1_000_000;

const isPlace = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= farthest;
