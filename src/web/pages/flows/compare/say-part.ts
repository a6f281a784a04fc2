import { blockIdOf, isBlock, isPosition, orderPart, type Part } from '../draft/parts.ts';
import { words } from './words.ts';

const frame: Readonly<Record<string, string>> = {
  [orderPart]: words.parts.order,
  'field:start': words.parts.start,
  'field:triggers': words.parts.triggers,
  'field:reentry': words.parts.reentry,
};

/** What a part is called. */
export const sayPart = (part: Part): string => {
  const id = blockIdOf(part);
  if (id !== undefined) return words.parts.block(id);
  if (isBlock(part)) return words.parts.item;
  if (isPosition(part)) return words.positions;
  return frame[part] ?? words.parts.field(part.slice(part.indexOf(':') + 1));
};
