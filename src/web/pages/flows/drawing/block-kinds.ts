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
import type { words } from './words.ts';

/** The kinds of blocks that have a name and an icon. */
export type KindWords = keyof typeof words.kinds;

const icons: Readonly<Record<KindWords, Icon>> = {
  send: IconMessage,
  ask: IconQuestionMark,
  condition: IconGitBranch,
  delay: IconClock,
  set_field: IconForms,
  clear_field: IconEraser,
  add_tag: IconTag,
  remove_tag: IconTagOff,
  split: IconArrowsSplit,
  external_request: IconWorld,
  wait_event: IconBell,
  start_flow: IconRoute,
  handover: IconUserQuestion,
  close_conversation: IconMessageOff,
  goto: IconArrowForwardUp,
  end: IconFlag,
  unknown: IconBox,
};

const isKnown = (type: string): type is KindWords => Object.hasOwn(icons, type);

/** The words and the icon of a block's type, also of one that there is not. */
export const kindOf = (type: string): { kind: KindWords; icon: Icon } => {
  const kind = isKnown(type) ? type : 'unknown';
  return { kind, icon: icons[kind] };
};
