import { words } from './words.ts';

/** Where a character stands in a text, as editors count. */
export const sayPosition = (text: string, position: number): string => {
  const before = text.slice(0, position).split('\n');
  return words.position(before.length, (before.at(-1)?.length ?? 0) + 1);
};
