import type { AnyDefinition } from '../definition-text.ts';
import { equal, isPlain, keepList, keepObject } from './equal.ts';

/**
 * A part of a definition, which is merged and undone as a whole: `block:stock`, `again:1:stock` for the second block of an id, `item:0` for the first
 * one without an id, `field:start`, `ui:zoom`, `position:stock`, `order` of the blocks. `has:ui` and `has:positions` only say that these
 * objects are there.
 */
export type Part = string;

/** Parts with their values, in the order of the definition. */
export type Parts = ReadonlyMap<Part, unknown>;

/** What has become of a part; undefined where it is not there. */
export type Change = { part: Part; before: unknown; after: unknown };

/** The order of the blocks, by their parts. */
export const orderPart = 'order';

const uiPart = 'has:ui';

const isHere = true;

const known = new WeakMap<AnyDefinition, Parts>();

/** The parts of a definition. */
export const partsOf = (definition: AnyDefinition): Parts => {
  const before = known.get(definition);
  if (before) return before;
  const parts = readParts(definition);
  known.set(definition, parts);
  return parts;
};

const readParts = (definition: AnyDefinition): Parts => {
  const parts = new Map<Part, unknown>();
  for (const [key, value] of Object.entries(definition)) {
    if (value === undefined) continue;
    if (key === 'blocks' && Array.isArray(value)) readBlocks(parts, value);
    else if (key === 'ui' && isPlain(value)) readUi(parts, value);
    else parts.set(`field:${key}`, value);
  }
  return parts;
};

const readBlocks = (parts: Map<Part, unknown>, blocks: readonly unknown[]): void => {
  const order: Part[] = [];
  parts.set(orderPart, order);
  const counts = new Map<string | undefined, number>();
  for (const block of blocks) {
    const id = isPlain(block) && typeof block['id'] === 'string' ? block['id'] : undefined;
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    const part = id === undefined ? `item:${count}` : count === 0 ? blockPart(id) : `again:${count}:${id}`;
    order.push(part);
    parts.set(part, block);
  }
};

const readUi = (parts: Map<Part, unknown>, ui: Readonly<Record<string, unknown>>): void => {
  parts.set(uiPart, isHere);
  for (const [key, value] of Object.entries(ui)) {
    if (value === undefined) continue;
    if (key !== 'positions' || !isPlain(value)) parts.set(`ui:${key}`, value);
    else {
      parts.set('has:positions', isHere);
      for (const [id, position] of Object.entries(value))
        if (position !== undefined) parts.set(`position:${id}`, position);
    }
  }
};

/** The part that the first block of an id is. */
const blockPart = (id: string): Part => `block:${id}`;

/** The id of the block that a part is; undefined of another part. */
export const blockIdOf = (part: Part): string | undefined => /^(?:block|again:\d+):(.*)$/s.exec(part)?.[1];

/** Whether a part is a block, with an id or without. */
export const isBlock = (part: Part): boolean => /^(?:block:|again:|item:)/.test(part);

/** Whether a part is the place of a block on the canvas. */
export const isPosition = (part: Part): boolean => part.startsWith('position:');

/** What has become of each part that is not the same any more. Costs little where definitions share their blocks. */
export const diff = (before: AnyDefinition, after: AnyDefinition): Change[] => {
  if (before === after) return [];
  const [old, now] = [partsOf(before), partsOf(after)];
  const changes: Change[] = [];
  for (const [part, value] of now) {
    const earlier = old.get(part);
    if (earlier !== value && !equal(earlier, value)) changes.push({ part, before: earlier, after: value });
  }
  for (const [part, value] of old) if (!now.has(part)) changes.push({ part, before: value, after: undefined });
  return changes;
};

/** A definition with other values of these parts; undefined takes a part away. What is not changed is shared. */
export const putParts = (definition: AnyDefinition, values: Parts): AnyDefinition => {
  if (values.size === 0) return definition;
  const parts = new Map(partsOf(definition));
  for (const [part, value] of values) {
    if (value === undefined) parts.delete(part);
    else parts.set(part, value);
  }
  return keepObject(definition, assemble(parts, definition));
};

const assemble = (parts: Parts, like: AnyDefinition): AnyDefinition => {
  const frame: [string, unknown][] = [];
  const ui: [string, unknown][] = [];
  const positions: [string, unknown][] = [];
  const add = (to: [string, unknown][], key: string, value: unknown): void => {
    if (!to.some(([name]) => name === key)) to.push([key, value]);
  };
  for (const [part, value] of parts) {
    const [kind, key] = [part.slice(0, part.indexOf(':')), part.slice(part.indexOf(':') + 1)];
    if (part === orderPart || isBlock(part)) add(frame, 'blocks', undefined);
    else if (kind === 'field') frame.push([key, value]);
    else {
      add(frame, 'ui', undefined);
      if (kind === 'ui') ui.push([key, value]);
      else if (part !== uiPart) add(ui, 'positions', undefined);
      if (kind === 'position') positions.push([key, value]);
    }
  }
  const likeUi = isPlain(like['ui']) ? like['ui'] : {};
  const made = new Map<string, unknown>(frame.map(([key, value]) => [key, value]));
  if (made.has('blocks') && (parts.has(orderPart) || !parts.has('field:blocks')))
    made.set('blocks', keepList(like['blocks'], arrange(parts)));
  if (!parts.has('field:ui') && made.has('ui')) {
    const inner = new Map<string, unknown>(ui);
    if (inner.has('positions') && !parts.has('ui:positions'))
      inner.set('positions', keepObject(likeUi['positions'], Object.fromEntries(positions)));
    made.set('ui', keepObject(likeUi, Object.fromEntries(inner)));
  }
  return Object.fromEntries(made);
};

/** The blocks in their order; those that it does not name come last. */
const arrange = (parts: Parts): unknown[] => {
  const order = listOf(parts.get(orderPart)).filter((part) => parts.has(part));
  const named = new Set(order);
  const rest = [...parts.keys()].filter((part) => isBlock(part) && !named.has(part));
  return [...order, ...rest].map((part) => parts.get(part));
};

/** The value of the part `order`. */
export const listOf = (value: unknown): readonly Part[] =>
  Array.isArray(value) ? value.filter((part) => typeof part === 'string') : [];

/** A definition that says the same as `now`, with the objects of `before` for all that is equal there. */
export const share = (before: AnyDefinition, now: AnyDefinition): AnyDefinition => {
  const [old, parts] = [partsOf(before), partsOf(now)];
  const same = new Map<Part, unknown>();
  for (const [part, value] of parts) {
    const earlier = old.get(part);
    if (earlier !== undefined && earlier !== value && equal(earlier, value)) same.set(part, earlier);
  }
  const shared = putParts(now, same);
  if (diff(before, shared).length === 0) return before;
  return Object.fromEntries(
    Object.entries(shared).map(([key, value]) => [key, equal(before[key], value) ? before[key] : value]),
  );
};
