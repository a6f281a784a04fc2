import type { Trigger } from '../../../../shared/flows/definition/triggers.ts';
import { edgesOf } from '../../../../shared/flows/definition/edges.ts';
import { createIssues } from '../../../../shared/flows/definition/issues.ts';
import { createNearest } from '../../../../shared/flows/definition/nearest.ts';
import { targetOfPort } from '../../../../shared/flows/definition/plan.ts';
import { readDraft, type Draft, type DraftBlock } from '../../../../shared/flows/definition/shape.ts';
import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import type { AnyDefinition } from '../definition-text.ts';

/** Where ports of a block lead together: to another block, by its key, or to none: `missing` is one that is not there. */
export type Way = { ports: string[] } & (
  | { to: string }
  | { end: 'completes' | 'fails' | 'again' }
  | { missing: string }
);

/** Whether a way leads to no block: it is told in the block itself. */
export const isEnd = (way: Way): boolean => !('to' in way);

/** A block as it is drawn. */
export type DrawnBlock = {
  /** Made of its id; by its place in a half-finished draft, where an id may be there twice or not at all. */
  key: string;
  id: string;
  type: string;
  /** What the definition says of it. */
  raw: RawBlock;
  ways: Way[];
};

/** A flow as it is drawn, as far as its definition can be read. */
export type DrawnFlow = {
  /** The key of the block that every run begins with. */
  start: string | undefined;
  triggers: readonly Trigger[];
  blocks: readonly DrawnBlock[];
};

/** Reads a definition for its drawing. It may be half-finished: what cannot be read is left out, and what it leads to is missing. */
export const readFlow = (definition: AnyDefinition): DrawnFlow => {
  const draft = readDraft(createIssues(), createNearest(0), definition);
  if (!draft) return { start: undefined, triggers: [], blocks: [] };
  const given: readonly unknown[] = Array.isArray(definition['blocks']) ? definition['blocks'] : [];
  const keys = new Map<string, string>();
  const keyOf = draft.blocks.map(({ id, index }) => {
    if (id === undefined || keys.has(id)) return `place:${index}`;
    const key = `id:${id}`;
    keys.set(id, key);
    return key;
  });
  const blocks = draft.blocks.flatMap((block): DrawnBlock[] => {
    const raw = given[block.index];
    if (!isObject(raw)) return [];
    const type = typeof raw['type'] === 'string' ? raw['type'] : '';
    const ways = gather(exitsOf(draft, block)).map((way): Way => {
      if (!('to' in way)) return way;
      const { ports, to } = way;
      const key = keys.get(to);
      if (key === undefined) return { ports, missing: to };
      return key === keyOf[block.index] ? { ports, end: 'again' } : { ports, to: key };
    });
    return [{ key: keyOf[block.index] ?? '', id: block.id ?? '', type, raw, ways }];
  });
  return { start: draft.start === undefined ? undefined : keys.get(draft.start), triggers: draft.triggers, blocks };
};

/** Each port of a block alone, with the id of the block that it leads to. Of a block whose shape is wrong only those that it names. */
const exitsOf = (draft: Draft, block: DraftBlock): Way[] => {
  const { parsed, index } = block;
  if (!parsed) return edgesOf(draft, block).map(({ port, to }) => ({ ports: [port], to }));
  const { block: kind, config } = parsed;
  const following = draft.blocks[index + 1]?.id;
  const names = kind.jumpsTo ? ['default'] : kind.ports(config).map(({ name }) => name);
  return names.map((port): Way => {
    const target = targetOfPort(kind, config, following, port);
    return typeof target === 'string' ? { ports: [port], end: target } : { ports: [port], to: target.block };
  });
};

/** Ports that lead to the same are one way. */
const gather = (exits: readonly Way[]): Way[] => {
  const ways = new Map<string, Way>();
  for (const { ports, ...where } of exits) {
    const name = JSON.stringify(where);
    const way = ways.get(name);
    if (way) way.ports.push(...ports);
    else ways.set(name, { ports: [...ports], ...where });
  }
  return [...ways.values()];
};
