import { RequestForm } from '../request/request-form.tsx';
import type { BlockForm } from './block-form.ts';
import { AskForm } from './blocks/ask.tsx';
import { ConditionForm } from './blocks/condition.tsx';
import { DelayForm } from './blocks/delay.tsx';
import { ClearFieldForm, SetFieldForm, TagForm } from './blocks/fields.tsx';
import { GotoForm, HandoverForm, PlainForm } from './blocks/others.tsx';
import { SendForm } from './blocks/send.tsx';
import { SplitForm } from './blocks/split.tsx';
import { StartFlowForm } from './blocks/start-flow.tsx';
import { WaitEventForm } from './blocks/wait-event.tsx';

/** The form of each kind of block, by its type. */
export const forms: Readonly<Record<string, BlockForm>> = {
  send: SendForm,
  ask: AskForm,
  condition: ConditionForm,
  delay: DelayForm,
  set_field: SetFieldForm,
  clear_field: ClearFieldForm,
  add_tag: TagForm,
  remove_tag: TagForm,
  split: SplitForm,
  external_request: RequestForm,
  wait_event: WaitEventForm,
  start_flow: StartFlowForm,
  handover: HandoverForm,
  close_conversation: PlainForm,
  goto: GotoForm,
  end: PlainForm,
};
