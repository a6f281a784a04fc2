import { isObject } from '../../../../shared/flows/raw-blocks.ts';
import type { AnyDefinition } from '../definition-text.ts';
import { forgetPlaces } from './move.ts';
import { idOf, listOf, withBlocks } from './order.ts';
import { exitOf, mainPortOf, type Exit } from './ports.ts';
import { isId, refsOf } from './refs.ts';

/** Removes blocks. What led to one of them leads where it led on to, or ends there. */
export const removeBlocks = (definition: AnyDefinition, refs: ReadonlySet<string>): AnyDefinition => {
  const list = listOf(definition);
  const named = refsOf(definition);
  const isRemoved = (index: number): boolean => refs.has(named[index] ?? '');
  const kept = list.filter((_, index) => !isRemoved(index));
  if (kept.length === list.length) return definition;
  const left = new Set(kept.flatMap((entry) => idOf(entry) ?? []));
  const led = new Map<string, Exit>();
  for (const [index, entry] of list.entries()) {
    const ref = named[index] ?? '';
    // Nothing leads to a block without an id of its own.
    if (!isObject(entry) || !isId(ref) || !isRemoved(index)) continue;
    const main = mainPortOf(entry);
    led.set(ref, main ? exitOf(entry, main, idOf(list[index + 1])) : { end: 'completes' });
  }
  const heal = (exit: Exit): Exit => {
    let healed = exit;
    // As many steps as there are removed blocks, which may lead to each other in a circle.
    for (let step = 0; step <= led.size; step += 1) {
      if (!('to' in healed)) return healed;
      const on = led.get(healed.to);
      if (!on) return left.has(healed.to) || healed === exit ? healed : { end: 'completes' };
      healed = on;
    }
    return { end: 'completes' };
  };
  const healed = withBlocks(definition, kept, heal);
  return forgetPlaces(withStart(healed, { heal, left, isGone: (id) => led.has(id) }), refs);
};

/** The start, where it is removed: what it led on to, else the first block that is left. */
const withStart = (
  definition: AnyDefinition,
  { heal, left, isGone }: { heal: (exit: Exit) => Exit; left: ReadonlySet<string>; isGone: (id: string) => boolean },
): AnyDefinition => {
  const { start, ...rest } = definition;
  if (typeof start !== 'string' || (left.has(start) && !isGone(start))) return definition;
  const exit = heal({ to: start });
  const next = 'to' in exit && left.has(exit.to) ? exit.to : [...left][0];
  return next === undefined ? rest : { ...definition, start: next };
};
