import { isObject } from '../../../../shared/flows/raw-blocks.ts';
import type { AnyDefinition } from '../definition-text.ts';

/** Where blocks stand, by their ids, from their top left corners. */
export type Places = ReadonlyMap<string, Readonly<{ x: number; y: number }>>;

/** Places blocks. Others stay where they are. */
export const moveBlocks = (definition: AnyDefinition, places: Places): AnyDefinition => {
  const ui = isObject(definition['ui']) ? definition['ui'] : {};
  const before = isObject(ui['positions']) ? ui['positions'] : {};
  const moved = [...places].flatMap(([id, { x, y }]) => {
    const at = { x: Math.round(x), y: Math.round(y) };
    const was = Object.hasOwn(before, id) ? before[id] : undefined;
    return isObject(was) && was['x'] === at.x && was['y'] === at.y ? [] : [[id, at] as const];
  });
  if (moved.length === 0) return definition;
  return { ...definition, ui: { ...ui, positions: Object.fromEntries([...Object.entries(before), ...moved]) } };
};

/** Forgets where these blocks stood. */
export const forgetPlaces = (definition: AnyDefinition, ids: ReadonlySet<string>): AnyDefinition => {
  const { ui } = definition;
  const positions = isObject(ui) ? ui['positions'] : undefined;
  if (!isObject(ui) || !isObject(positions)) return definition;
  const kept = Object.entries(positions).filter(([id]) => !ids.has(id));
  if (kept.length === Object.keys(positions).length) return definition;
  return { ...definition, ui: { ...ui, positions: Object.fromEntries(kept) } };
};
