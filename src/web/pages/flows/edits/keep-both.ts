import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import type { AnyDefinition } from '../definition-text.ts';
import { hasRoom } from './add.ts';
import { freshId } from './ids.ts';
import { moveBlocks } from './move.ts';
import { idOf, idsOf, leadTo, listOf } from './order.ts';
import { exitOf, portsOf } from './ports.ts';

/** How far a block is put from another one that stands at the same place, in px. */
const besidePx = 40;

type Both = { id: string; theirs: RawBlock; stored: AnyDefinition };

/**
 * Two versions of one block as two blocks: `theirs` keeps the id, and the one of this definition gets a new one. `stored` is what others have
 * stored: a wire to the block that is not there follows the new id. Nothing changes where either version or the room for it is missing.
 */
export const keepBoth = (definition: AnyDefinition, { id, theirs, stored }: Both): AnyDefinition => {
  const list = listOf(definition);
  const index = list.findIndex((entry) => idOf(entry) === id);
  const mine = list[index];
  if (!isObject(mine) || !hasRoom(definition)) return definition;
  const renewed = freshId(id, new Set([...idsOf(definition), ...idsOf(stored)]));
  const both = list.toSpliced(index, 1, theirs, { ...mine, id: renewed });
  const origins = [...list.slice(0, index), theirs, ...list.slice(index)];
  const isTheirs = wiresTo(stored, id);
  const ids = new Set(both.flatMap((entry) => idOf(entry) ?? []));
  const blocks = both.map((entry, at) => {
    if (!isObject(entry)) return entry;
    const following = idOf(both[at + 1]);
    if (entry === theirs) {
      const meant = followerOf(stored, id);
      return leadTo(entry, following, (port) =>
        exitOf(entry, port, meant === undefined || ids.has(meant) ? meant : following),
      );
    }
    const from = idOf(origins[at]);
    return leadTo(entry, following, (port) => {
      const exit = exitOf(entry, port, idOf(list[at < index ? at + 1 : at]));
      return 'to' in exit && exit.to === id && (from === id || !isTheirs(from, port.name)) ? { to: renewed } : exit;
    });
  });
  const begins = definition['start'] === id && stored['start'] !== id;
  return place({ ...definition, blocks, ...(begins && { start: renewed }) }, { id, renewed, stored });
};

/** The id of the block after the one of an id. */
const followerOf = (definition: AnyDefinition, id: string): string | undefined => {
  const list = listOf(definition);
  return idOf(list[list.findIndex((entry) => idOf(entry) === id) + 1]);
};

/** Whether a port of a block leads to the block of this id, also as what follows. */
const wiresTo = (definition: AnyDefinition, id: string): ((from: string | undefined, port: string) => boolean) => {
  const list = listOf(definition);
  const wires = new Set<string>();
  for (const [index, entry] of list.entries()) {
    if (!isObject(entry)) continue;
    for (const port of portsOf(entry)) {
      const exit = exitOf(entry, port, idOf(list[index + 1]));
      if ('to' in exit && exit.to === id) wires.add(`${idOf(entry)} ${port.name}`);
    }
  }
  return (from, port) => wires.has(`${from} ${port}`);
};

type Placing = { id: string; renewed: string; stored: AnyDefinition };

/** The own version stands where it stood, and theirs where they have it. */
const place = (definition: AnyDefinition, { id, renewed, stored }: Placing): AnyDefinition => {
  const [own, theirs] = [placeOf(definition, id), placeOf(stored, id)];
  const at = own ?? theirs;
  if (!at) return definition;
  const isSame = theirs === undefined || (theirs.x === at.x && theirs.y === at.y);
  const beside = isSame ? { x: at.x + besidePx, y: at.y + besidePx } : at;
  return moveBlocks(
    definition,
    new Map([
      [id, theirs ?? at],
      [renewed, beside],
    ]),
  );
};

const placeOf = ({ ui }: AnyDefinition, id: string): { x: number; y: number } | undefined => {
  const positions = isObject(ui) ? ui['positions'] : undefined;
  const at = isObject(positions) && Object.hasOwn(positions, id) ? positions[id] : undefined;
  if (!isObject(at)) return undefined;
  const { x, y } = at;
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined;
};
