import type { FieldDefinition } from '../../custom-fields/values.ts';
import type { Write } from '../blocks/block.ts';
import { findPath, shortName } from '../blocks/scope.ts';
import { parseTemplate, type Placeholder } from '../templating/template.ts';
import { edgesOf } from './edges.ts';
import type { Draft } from './shape.ts';

/** Whether a name of a template surely has a value when the block at this place of the list is entered. */
export type SurelySet = (name: string, index: number) => boolean;

/** An edge of the flow, to a place in its list. */
type Way = { to: number };

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
export const createSurelySet = (draft: Draft, fields: ReadonlyMap<string, FieldDefinition>): SurelySet => {
  const ways = waysOf(draft);
  // By name, for each place whether a run may come there without a value of it; undefined while that is being found out.
  const lacking = new Map<string, Uint8Array | undefined>();

  const isSet: SurelySet = (path, index) => {
    const name = shortName(path);
    const writes = ways.writes.get(name);
    if (!writes) return false;
    if (!lacking.has(name)) {
      if (lacking.size >= namesAtMost) return false;
      lacking.set(name, undefined);
      lacking.set(name, findLacking(writes));
    }
    // One of two fields that are set from one another: the second look does not count.
    return lacking.get(name)?.[index] === 0;
  };

  /** Walks all ways, with and without a value. Each place is visited at most once in either state. */
  const findLacking = (writes: ReadonlyMap<Way, readonly Write[]>): Uint8Array => {
    const places = draft.blocks.length;
    const without = new Uint8Array(places);
    const seen = { with: new Uint8Array(places), without };
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
    return without;
  };

  const leavesValue = ({ name, leaves }: Write, { from, had }: { from: number; had: boolean }): boolean => {
    if (typeof leaves === 'string') return leaves === 'a_value';
    const shows = ({ path, literal, filters }: Placeholder): boolean => {
      if (filters.some((filter) => filter.name === 'default' && (filter.argument ?? '') !== '')) return true;
      // Of what is no date, the filter makes nothing.
      if (filters.some((filter) => filter.name === 'date')) return false;
      if (path === null) return (literal ?? '').trim() !== '';
      if (shortName(path) === name) return had;
      return findPath(path, fields)?.mayBeEmpty === false || isSet(path, from);
    };
    return parseTemplate(leaves.like).parts.some((part) =>
      typeof part === 'string' ? part.trim() !== '' : shows(part),
    );
  };
  return isSet;
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
