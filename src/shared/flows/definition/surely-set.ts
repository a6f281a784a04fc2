import type { FieldDefinition } from '../../custom-fields/values.ts';
import type { Write } from '../blocks/block.ts';
import { findPath, shortName } from '../blocks/scope.ts';
import { parseTemplate, type Placeholder } from '../templating/template.ts';
import { edgesOf } from './edges.ts';
import type { Draft } from './shape.ts';

/** Whether a name of a template surely has a value when the block at this place of the list is entered. */
export type SurelySet = (name: string, index: number) => boolean;

/** Whether blocks before the one at this place give a name a value: on all ways there, on some, or on none. */
export type SetBefore = (name: string, index: number) => 'surely' | 'maybe' | 'never';

/** An edge of the flow, to a place in its list. */
type Way = { to: number };

/** For each place, whether a run may come there with a value of a name, and whether without one. */
type Reached = { with: Uint8Array; without: Uint8Array };

/** The ways of a flow, by where they begin, and by names what is written on them. */
type Ways = {
  starts: readonly number[];
  from: readonly (readonly Way[])[];
  writes: ReadonlyMap<string, ReadonlyMap<Way, readonly Write[]>>;
};

/** The most names that are looked up, which is more than an account has fields; of others it is not known. */
const namesAtMost = 1_000;

/**
 * Finds the names that have a value at a block whichever way a run came there, because blocks before it have set them. What others write
 * meanwhile does not count. A name is looked up when it is first asked for, in a time that grows with the blocks and their ports.
 */
export const createSurelySet = (draft: Draft, fields: Fields): SurelySet => {
  const find = createFindReached(draft, fields);
  return (name, index) => find(name)?.without[index] === 0;
};

/** The same for people who choose a name: also whether any block before sets it. Of a block that no run reaches, none does. */
export const createSetBefore = (draft: Draft, fields: Fields): SetBefore => {
  const find = createFindReached(draft, fields);
  return (name, index) => {
    const reached = find(name);
    if (reached?.with[index] !== 1) return 'never';
    return reached.without[index] === 1 ? 'maybe' : 'surely';
  };
};

type Fields = ReadonlyMap<string, FieldDefinition>;

/** Finds how runs reach each place of a draft; undefined for a name that no block writes. */
const createFindReached = (draft: Draft, fields: Fields): ((path: string) => Reached | undefined) => {
  const ways = waysOf(draft);
  // By name; undefined while that is being found out.
  const found = new Map<string, Reached | undefined>();

  const find = (path: string): Reached | undefined => {
    const name = shortName(path);
    const writes = ways.writes.get(name);
    if (!writes) return undefined;
    if (!found.has(name)) {
      if (found.size >= namesAtMost) return undefined;
      found.set(name, undefined);
      found.set(name, findReached(writes));
    }
    // One of two fields that are set from one another: the second look does not count.
    return found.get(name);
  };

  /** Walks all ways, with and without a value. Each place is visited at most once in either state. */
  const findReached = (writes: ReadonlyMap<Way, readonly Write[]>): Reached => {
    const places = draft.blocks.length;
    const seen = { with: new Uint8Array(places), without: new Uint8Array(places) };
    const left: { at: number; has: boolean }[] = [];
    const reach = (at: number, has: boolean): void => {
      const states = has ? seen.with : seen.without;
      if (states[at] === 1) return;
      states[at] = 1;
      left.push({ at, has });
    };
    for (const start of ways.starts) reach(start, false);
    for (let step = left.pop(); step; step = left.pop()) {
      const { at: from, has } = step;
      for (const way of ways.from[from] ?? []) {
        const written = writes.get(way);
        reach(way.to, written?.reduce((had, write) => leavesValue(write, { from, had }), has) ?? has);
      }
    }
    return seen;
  };

  const leavesValue = ({ name, leaves }: Write, { from, had }: { from: number; had: boolean }): boolean => {
    if (typeof leaves === 'string') return leaves === 'a_value';
    const shows = ({ path, literal, filters }: Placeholder): boolean => {
      if (filters.some((filter) => filter.name === 'default' && (filter.argument ?? '') !== '')) return true;
      // Of what is no date, the filter makes nothing.
      if (filters.some((filter) => filter.name === 'date')) return false;
      if (path === null) return (literal ?? '').trim() !== '';
      if (shortName(path) === name) return had;
      return findPath(path, fields)?.mayBeEmpty === false || find(path)?.without[from] === 0;
    };
    return parseTemplate(leaves.like).parts.some((part) =>
      typeof part === 'string' ? part.trim() !== '' : shows(part),
    );
  };
  return find;
};

const waysOf = (draft: Draft): Ways => {
  const places = new Map<string, number>();
  for (const { id, index } of draft.blocks) if (id !== undefined && !places.has(id)) places.set(id, index);
  const start = draft.start === undefined ? undefined : places.get(draft.start);
  const writes = new Map<string, Map<Way, Write[]>>();
  const from = draft.blocks.map((block) => {
    const written = block.parsed?.block.writes?.(block.parsed.config) ?? [];
    return edgesOf(draft, block).flatMap(({ port, to }) => {
      const place = places.get(to);
      if (place === undefined) return [];
      const way = { to: place };
      for (const write of written) if (write.port === port) note(writes, way, write);
      return [way];
    });
  });
  // A draft without a start may be entered anywhere.
  return { starts: start === undefined ? [...draft.blocks.keys()] : [start], from, writes };
};

const note = (writes: Map<string, Map<Way, Write[]>>, way: Way, write: Write): void => {
  const ofName = writes.get(write.name) ?? new Map<Way, Write[]>();
  writes.set(write.name, ofName.set(way, [...(ofName.get(way) ?? []), write]));
};
