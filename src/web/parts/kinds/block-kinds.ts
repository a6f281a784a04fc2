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
} from '@tabler/icons-react';
import type { Kind } from './kind.ts';

/** Blocks that talk are teal, those that decide or wait amber, those that write pink, those that call others blue. */
const kinds = {
  send: { icon: IconMessage, hue: 'teal' },
  ask: { icon: IconQuestionMark, hue: 'teal' },
  condition: { icon: IconGitBranch, hue: 'amber' },
  delay: { icon: IconClock, hue: 'amber' },
  set_field: { icon: IconForms, hue: 'pink' },
  clear_field: { icon: IconEraser, hue: 'pink' },
  add_tag: { icon: IconTag, hue: 'pink' },
  remove_tag: { icon: IconTagOff, hue: 'pink' },
  split: { icon: IconArrowsSplit, hue: 'amber' },
  external_request: { icon: IconWorld, hue: 'blue' },
  wait_event: { icon: IconBell, hue: 'amber' },
  start_flow: { icon: IconRoute, hue: 'iris' },
  handover: { icon: IconUserQuestion, hue: 'coral' },
  close_conversation: { icon: IconMessageOff, hue: 'slate' },
  goto: { icon: IconArrowForwardUp, hue: 'slate' },
  end: { icon: IconFlag, hue: 'slate' },
  unknown: { icon: IconBox, hue: 'slate' },
} as const satisfies Readonly<Record<string, Kind>>;

/** The kinds of blocks that have a name and an icon. */
export type BlockType = keyof typeof kinds;

const isKnown = (type: string): type is BlockType => Object.hasOwn(kinds, type);

/** The kind of a block's type, also of one that there is not. */
export const blockKind = (type: string): { type: BlockType; kind: Kind } => {
  const known = isKnown(type) ? type : 'unknown';
  return { type: known, kind: kinds[known] };
};
