import { definitionLimits } from '../../../../shared/flows/definition/definition.ts';
import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import type { AnyDefinition } from '../definition-text.ts';
import { findBlock } from './blocks.ts';
import { connect, type Origin } from './connect.ts';
import { idOf, idsOf, listOf, setExit, withBlocks } from './order.ts';
import { exitOf, mainPortOf, portsOf, type Exit } from './ports.ts';
import { indexOf, isId } from './refs.ts';

/** Whether so many more blocks have room in a flow. */
export const hasRoom = (definition: AnyDefinition, more = 1): boolean =>
  listOf(definition).length + more <= definitionLimits.blocks;

/**
 * Adds a block: after a port, whose wire goes on from the new block then, or by itself. A flow without a beginning begins with it. A flow
 * that is full stays as it is.
 */
export const addBlock = (
  definition: AnyDefinition,
  { block, after }: { block: RawBlock; after?: Origin | undefined },
): AnyDefinition => {
  const list = listOf(definition);
  const id = idOf(block);
  if (!hasRoom(definition) || id === undefined) return definition;
  const ids = idsOf(definition);
  const index = after?.from === undefined ? -1 : indexOf(definition, after.from);
  const exit = after && exitOfOrigin(definition, after);
  const to = exit && 'to' in exit && ids.has(exit.to) ? exit.to : null;
  const added = leadOn(block, to);
  const at = after?.from === undefined && to !== null ? indexOf(definition, to) : index + 1;
  const place = after && at >= 0 && (index >= 0 || to !== null) ? at : list.length;
  const placed = withBlocks(definition, list.toSpliced(place, 0, added));
  const { start } = placed;
  const begun = typeof start === 'string' && ids.has(start) ? placed : { ...placed, start: id };
  return after ? connect(begun, { ...after, to: id }) : begun;
};

/** Adds a block before another one: all that led there leads to the new one, which leads on. A flow that is full stays as it is. */
export const addBefore = (
  definition: AnyDefinition,
  { block, before }: { block: RawBlock; before: string },
): AnyDefinition => {
  const id = idOf(block);
  const index = indexOf(definition, before);
  if (!hasRoom(definition) || id === undefined || index < 0 || !isId(before)) return definition;
  const list = listOf(definition).toSpliced(index, 0, leadOn(block, before));
  const placed = withBlocks(definition, list, (exit) => ('to' in exit && exit.to === before ? { to: id } : exit));
  return definition['start'] === before ? { ...placed, start: id } : placed;
};

/** A block whose main port leads on to another one, or to the end. */
const leadOn = (block: RawBlock, to: string | null): RawBlock => {
  const main = mainPortOf(block);
  return main ? setExit(block, main.name, to) : block;
};

/** Where a port leads now. */
export const exitOfOrigin = (definition: AnyDefinition, { from, port }: Origin): Exit | undefined => {
  if (from === undefined) {
    const { start } = definition;
    return typeof start === 'string' ? { to: start } : undefined;
  }
  const list = listOf(definition);
  const index = indexOf(definition, from);
  const block = list[index];
  const known = isObject(block) ? portsOf(block).find(({ name }) => name === port) : undefined;
  return isObject(block) && known ? exitOf(block, known, idOf(list[index + 1])) : undefined;
};

/** Puts a block that is there on a wire: the wire leads to it, and its main port on. */
export const insertBlock = (definition: AnyDefinition, { id, into }: { id: string; into: Origin }): AnyDefinition => {
  const exit = exitOfOrigin(definition, into);
  const block = findBlock(definition, id);
  if (!exit || !('to' in exit) || !idsOf(definition).has(exit.to)) return definition;
  if (exit.to === id || into.from === id || !block) return definition;
  const main = mainPortOf(block);
  const led = main ? connect(definition, { from: id, port: main.name, to: exit.to }) : definition;
  return connect(led, { ...into, to: id });
};
