import {
  IconArrowForwardUp,
  IconArrowsSplit,
  IconBell,
  IconBox,
  IconClock,
  IconEraser,
  IconFlag,
  IconForms,
  IconGitBranch,
  IconMessage,
  IconMessageOff,
  IconQuestionMark,
  IconRoute,
  IconTag,
  IconTagOff,
  IconUserQuestion,
  IconWorld,
  type Icon,
} from '@tabler/icons-react';
import type { Kind } from './kind.ts';

/** Blocks of a kind belong together, and have one color. */
export const families = ['say', 'ask', 'logic', 'data', 'people'] as const;

export type Family = (typeof families)[number];

const hues = { say: 'teal', ask: 'iris', logic: 'amber', data: 'blue', people: 'coral' } as const;

const of = <Name extends Family>(family: Name, icon: Icon) => ({ family, icon, hue: hues[family] });

const kinds = {
  send: of('say', IconMessage),
  ask: of('ask', IconQuestionMark),
  wait_event: of('ask', IconBell),
  condition: of('logic', IconGitBranch),
  split: of('logic', IconArrowsSplit),
  delay: of('logic', IconClock),
  start_flow: of('logic', IconRoute),
  goto: of('logic', IconArrowForwardUp),
  end: of('logic', IconFlag),
  external_request: of('data', IconWorld),
  set_field: of('data', IconForms),
  clear_field: of('data', IconEraser),
  add_tag: of('data', IconTag),
  remove_tag: of('data', IconTagOff),
  handover: of('people', IconUserQuestion),
  close_conversation: of('people', IconMessageOff),
  unknown: { family: undefined, icon: IconBox, hue: 'slate' },
} as const satisfies Readonly<Record<string, Kind & { family: Family | undefined }>>;

/** The kinds of blocks that have a name and an icon. */
export type BlockType = keyof typeof kinds;

const isKnown = (type: string): type is BlockType => Object.hasOwn(kinds, type);

/** The kind of a block's type, also of one that there is not. */
export const blockKind = (type: string): { type: BlockType; kind: Kind; family: Family | undefined } => {
  const known = isKnown(type) ? type : 'unknown';
  const kind = kinds[known];
  return { type: known, kind, family: kind.family };
};
