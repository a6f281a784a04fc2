import { blockKind, families, type BlockType } from '../../../parts/kinds/block-kinds.ts';
import { KindIcon } from '../../../parts/kinds/kind-icon.tsx';
import { words as drawingWords } from '../drawing/words.ts';
import type { Option } from './chooser.tsx';
import { words } from './words.ts';

/** The blocks that can be added, in the order of their families. */
const offered: readonly BlockType[] = [
  'send',
  'ask',
  'wait_event',
  'condition',
  'split',
  'delay',
  'goto',
  'start_flow',
  'end',
  'external_request',
  'set_field',
  'clear_field',
  'add_tag',
  'remove_tag',
  'handover',
  'close_conversation',
];

const key = 'parley-palette';

/** The most that stand first because they were used last. */
const mostRecent = 3;

const readRecent = (): string[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept.filter((type) => offered.includes(type)).slice(0, mostRecent) : [];
  } catch {
    return [];
  }
};

/** Keeps in this browser which blocks were added last. */
export const keepRecent = (type: string): void => {
  try {
    localStorage.setItem(
      key,
      JSON.stringify([type, ...readRecent().filter((other) => other !== type)].slice(0, mostRecent)),
    );
  } catch {
    // A browser that keeps nothing offers them in their usual order.
  }
};

/** What the palette offers: what was used last, then all by their families. */
export const paletteOptions = (): Option[] => {
  const option = (type: string, group: string): Option => {
    const { type: known, kind } = blockKind(type);
    return { value: type, label: drawingWords.kinds[known], group, icon: <KindIcon kind={kind} size={22} /> };
  };
  const all = families.flatMap((family) =>
    offered.filter((type) => blockKind(type).family === family).map((type) => option(type, words.families[family])),
  );
  return [...readRecent().map((type) => option(type, words.recent)), ...all];
};
