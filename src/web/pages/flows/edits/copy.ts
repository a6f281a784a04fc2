import * as z from 'zod/mini';
import { definitionLimits } from '../../../../shared/flows/definition/definition.ts';
import { parseJson } from '../../../../shared/platform/json/parse-json.ts';
import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import type { AnyDefinition } from '../definition-text.ts';
import { hasRoom } from './add.ts';
import { freshId } from './ids.ts';
import { moveBlocks, type Places } from './move.ts';
import { idOf, idsOf, listOf, setExit, withBlocks } from './order.ts';
import { exitOf, portsOf } from './ports.ts';

/** Blocks on their way through a clipboard, also to another installation. `flows`: the names of those that they start, by their ids. */
export type Copied = {
  parley_blocks: 1;
  blocks: readonly RawBlock[];
  /** Where they stood, from the top left corner of all. */
  positions: Readonly<Record<string, { x: number; y: number }>>;
  flows: Readonly<Record<string, string>>;
};

type Copying = { places: Places; nameOf?: (flowId: string) => string | undefined };

/** Copies blocks with the wires between them. Wires to others are cut. */
export const copyBlocks = (
  definition: AnyDefinition,
  ids: ReadonlySet<string>,
  { places, nameOf }: Copying,
): Copied => {
  const list = listOf(definition);
  const taken = new Set<string>();
  const blocks = list.flatMap((entry, index): RawBlock[] => {
    const id = idOf(entry);
    if (id === undefined || !isObject(entry) || !ids.has(id) || taken.has(id)) return [];
    taken.add(id);
    return [cutOff(entry, { ids, following: idOf(list[index + 1]) })];
  });
  const at = [...taken].flatMap((id) => places.get(id) ?? []);
  const [left, top] = [Math.min(...at.map(({ x }) => x)), Math.min(...at.map(({ y }) => y))];
  const positions = [...taken].flatMap((id) => {
    const place = places.get(id);
    return place ? [[id, { x: Math.round(place.x - left), y: Math.round(place.y - top) }] as const] : [];
  });
  const flows = blocks.flatMap(({ flow_id: id }) => {
    const name = typeof id === 'string' ? nameOf?.(id) : undefined;
    return typeof id === 'string' && name !== undefined ? [[id, name] as const] : [];
  });
  return { parley_blocks: 1, blocks, positions: Object.fromEntries(positions), flows: Object.fromEntries(flows) };
};

type Cutting = { ids: ReadonlySet<string>; following: string | undefined };

/** A block that says all of its wires to these blocks, and none to others. */
const cutOff = (block: RawBlock, { ids, following }: Cutting): RawBlock => {
  let cut = block;
  for (const port of portsOf(block)) {
    const exit = exitOf(block, port, following);
    if ('to' in exit && ids.has(exit.to)) cut = setExit(cut, port.name, exit.to);
    else if ('to' in exit || exit.end === 'completes')
      cut = setExit(cut, port.name, port.omitted === 'following' || !('to' in exit) ? null : undefined);
  }
  return cut;
};

const place = z.object({ x: z.number(), y: z.number() });

const envelope = z.object({
  parley_blocks: z.literal(1),
  blocks: z
    .array(
      z.looseObject({
        id: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/)),
        type: z.string().check(z.maxLength(64)),
      }),
    )
    .check(z.minLength(1), z.maxLength(definitionLimits.blocks)),
  positions: z.record(z.string(), place),
  flows: z.record(z.string(), z.string()),
});

/** Why a text of the clipboard is not pasted. */
export type Refusal = 'none' | 'newer' | 'too_large' | 'broken';

/** Reads what `copyBlocks` has made; anybody may have made the text. */
export const readCopied = (text: string): { copied: Copied } | { refusal: Refusal } => {
  if (!text.slice(0, 200).includes('"parley_blocks"')) return { refusal: 'none' };
  if (text.length > definitionLimits.characters) return { refusal: 'too_large' };
  try {
    const given = parseJson(text);
    const read = envelope.safeParse(given);
    if (read.success) return { copied: read.data };
    if (!isObject(given)) return { refusal: 'none' };
    if (Array.isArray(given['blocks']) && given['blocks'].length > definitionLimits.blocks)
      return { refusal: 'too_large' };
    return { refusal: Number(given['parley_blocks']) > 1 ? 'newer' : 'broken' };
  } catch {
    return { refusal: 'broken' };
  }
};

type Pasting = { at: { x: number; y: number } };

/** Pastes blocks, with ids of their own. Answers which they are; a flow without room for them stays as it is. */
export const pasteBlocks = (
  definition: AnyDefinition,
  { blocks, positions }: Copied,
  { at }: Pasting,
): { definition: AnyDefinition; ids: string[] } => {
  if (!hasRoom(definition, blocks.length)) return { definition, ids: [] };
  const taken = idsOf(definition);
  const before = new Set(taken);
  const renewed = new Map<string, string>();
  const ids = blocks.map((block) => {
    const id = freshId(idOf(block) ?? '', taken);
    taken.add(id);
    if (!renewed.has(idOf(block) ?? '')) renewed.set(idOf(block) ?? '', id);
    return id;
  });
  const pasted = blocks.map((block, index) => rename(block, ids[index] ?? '', renewed));
  const added = withBlocks(definition, [...listOf(definition), ...pasted]);
  const { start } = added;
  const begun =
    (typeof start === 'string' && before.has(start)) || ids.length === 0 ? added : { ...added, start: ids[0] };
  const places = blocks.map((block, index) => {
    const own = Object.hasOwn(positions, idOf(block) ?? '') ? positions[idOf(block) ?? ''] : undefined;
    const { x, y } = own ?? { x: index * 40, y: index * 40 };
    return [ids[index] ?? '', { x: at.x + x, y: at.y + y }] as const;
  });
  return { definition: moveBlocks(begun, new Map(places)), ids };
};

/** A block with another id. Its wires lead to the new ids, and nowhere else. */
const rename = (block: RawBlock, id: string, renewed: ReadonlyMap<string, string>): RawBlock => {
  let renamed: RawBlock = { ...block, id };
  const { next } = block;
  if (isObject(next))
    renamed = {
      ...renamed,
      next: Object.fromEntries(
        Object.entries(next).flatMap(([port, to]): [string, string | null][] => {
          if (typeof to !== 'string') return to === null ? [[port, null]] : [];
          const other = renewed.get(to);
          return other === undefined ? [] : [[port, other]];
        }),
      ),
    };
  for (const port of portsOf(renamed)) {
    const exit = exitOf(renamed, port, undefined);
    // A main port that says nothing would lead to whatever stands after it.
    if (!('to' in exit)) renamed = exit.end === 'completes' ? setExit(renamed, port.name, null) : renamed;
    else if (!isObject(next) || exit.to !== textAt(renamed['next'], port.name))
      renamed = setExit(renamed, port.name, renewed.get(exit.to));
  }
  return renamed;
};

const textAt = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);
