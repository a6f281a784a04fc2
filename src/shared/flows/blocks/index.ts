import { ask } from './ask.ts';
import type { Block } from './block.ts';
import { clearField } from './clear-field.ts';
import { closeConversation } from './close-conversation.ts';
import { condition } from './condition.ts';
import { delay } from './delay.ts';
import { end } from './end.ts';
import { externalRequest } from './external-request.ts';
import { goto } from './goto.ts';
import { handover } from './handover.ts';
import { send } from './send.ts';
import { setField } from './set-field.ts';
import { split } from './split.ts';
import { startFlow } from './start-flow.ts';
import { addTag, removeTag } from './tags.ts';
import { waitEvent } from './wait-event.ts';

/** Every kind of block that a flow can have. */
export const blocks: readonly Block[] = [
  send,
  ask,
  condition,
  delay,
  setField,
  clearField,
  addTag,
  removeTag,
  split,
  externalRequest,
  waitEvent,
  startFlow,
  handover,
  closeConversation,
  goto,
  end,
];

const byType: ReadonlyMap<string, Block> = new Map(blocks.map((block) => [block.type, block]));

/** The kind of block of this type; undefined when there is none. */
export const findBlock = (type: string): Block | undefined => byType.get(type);
