import type { Schemas } from '../../../api/client.ts';
import { words } from './words.ts';

type Placed = Pick<Schemas['FlowIssue'], 'block_id' | 'path'>;

/** The place of a problem in words: "block stock, on error", "trigger 2, words 1". Empty for the definition as a whole. */
export const sayPlace = ({ block_id: blockId, path }: Placed): string => {
  const parts = path === '' ? [] : path.split('.');
  const said: string[] = [];
  if (parts[0] === 'blocks' && parts[1] !== undefined) {
    said.push(words.block(blockId ?? String(Number(parts[1]) + 1)));
    parts.splice(0, 2);
  } else if (parts[0] === 'triggers' && parts[1] !== undefined) {
    said.push(words.trigger(Number(parts[1]) + 1));
    parts.splice(0, 2);
  } else if (blockId !== null) said.push(words.block(blockId));
  if (parts[0] === 'next' && parts[1] !== undefined) {
    said.push(words.port(parts[1]));
    parts.splice(0, 2);
  }
  for (const part of parts) {
    const last = said.at(-1);
    if (/^\d+$/.test(part) && last !== undefined) said[said.length - 1] = `${last} ${Number(part) + 1}`;
    else said.push(part);
  }
  return said.join(', ');
};
