import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import type { AnyDefinition } from '../definition-text.ts';
import { setFields } from './blocks.ts';
import { indexOf } from './refs.ts';
import { exitOf, jumpFieldOf, portsOf, type Exit, type Port } from './ports.ts';

/** All entries of the list of blocks, also what is no block. */
export const listOf = ({ blocks }: AnyDefinition): readonly unknown[] => (Array.isArray(blocks) ? blocks : []);

/** The id of a block, as far as an entry has one. */
export const idOf = (entry: unknown): string | undefined =>
  isObject(entry) && typeof entry['id'] === 'string' ? entry['id'] : undefined;

/** The ids that a definition has. */
export const idsOf = (definition: AnyDefinition): Set<string> =>
  new Set(listOf(definition).flatMap((entry) => idOf(entry) ?? []));

/** Sets where a port leads: to a block, to the end of the run (null), or as it is meant where nothing is said (undefined). */
export const setExit = (block: RawBlock, port: string, to: string | null | undefined): RawBlock => {
  const jump = jumpFieldOf(block);
  if (jump !== undefined) return setFields(block, { [jump]: to ?? undefined });
  const next = setFields(isObject(block['next']) ? block['next'] : {}, { [port]: to });
  return setFields(block, { next: Object.keys(next).length === 0 ? undefined : next });
};

/** How a definition says an exit of this port. */
const saidOf = (exit: Exit, { omitted }: Port): string | null | undefined => {
  if ('to' in exit) return exit.to;
  return exit.end === 'completes' || (exit.end === 'open' && omitted === 'following') ? null : undefined;
};

/**
 * The definition with another list of blocks. Each block that was there still leads where it led: what follows is written out where another
 * one follows now. `change` says where an exit is to lead instead.
 */
export const withBlocks = (
  definition: AnyDefinition,
  blocks: readonly unknown[],
  change: (exit: Exit, port: Port, blockId: string | undefined) => Exit = (exit) => exit,
): AnyDefinition => {
  const before = listOf(definition);
  const followed = new Map(before.map((entry, index) => [entry, idOf(before[index + 1])] as const));
  const after = blocks.map((entry, index) => {
    if (!isObject(entry) || !followed.has(entry)) return entry;
    return leadTo(entry, idOf(blocks[index + 1]), (port) =>
      change(exitOf(entry, port, followed.get(entry)), port, idOf(entry)),
    );
  });
  const isUnchanged = after.length === before.length && after.every((entry, index) => entry === before[index]);
  return isUnchanged ? definition : { ...definition, blocks: after };
};

/** A block whose ports lead where they are wanted to, when `following` is the block after it. */
export const leadTo = (block: RawBlock, following: string | undefined, wanted: (port: Port) => Exit): RawBlock => {
  let led = block;
  for (const port of portsOf(block)) {
    const exit = wanted(port);
    if (!isSame(exit, exitOf(led, port, following))) led = setExit(led, port.name, saidOf(exit, port));
  }
  return led;
};

/** Moves a block up or down in the list. Each still leads where it led. */
export const moveInList = (definition: AnyDefinition, ref: string, by: number): AnyDefinition => {
  const list = listOf(definition);
  const index = indexOf(definition, ref);
  const to = index + by;
  if (index < 0 || to < 0 || to >= list.length) return definition;
  return withBlocks(definition, list.toSpliced(index, 1).toSpliced(to, 0, list[index]));
};

const isSame = (one: Exit, other: Exit): boolean =>
  'to' in one ? 'to' in other && one.to === other.to : 'end' in other && one.end === other.end;
