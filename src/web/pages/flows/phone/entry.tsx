import type { ReactNode } from 'react';
import { durationMs } from '../../../../shared/flows/blocks/durations.ts';
import { unreachable } from '../../../../shared/unreachable.ts';
import { useFlowNames } from '../../../parts/use-flow-names.ts';
import { sayDuration } from '../../runs/say-duration.ts';
import { useBuilder } from '../builder/builder-context.ts';
import { ChangesEntry } from './changes-entry.tsx';
import { RequestEntry } from './request-entry.tsx';
import { sayClock, titleOf } from './say.ts';
import type { PhoneInput } from './session.ts';
import type { Entry, Taken } from './transcript.ts';
import type { PhoneState } from './use-phone.ts';
import { words } from './words.ts';

type Props = {
  entry: Entry;
  phone: PhoneState;
  /** Whether the conversation is another one from here on, since the flow was edited. */
  differs: boolean;
  /** Says a quick reply; undefined where that would answer nothing. */
  answer: ((text: string) => void) | undefined;
};

/** One thing of the conversation: a message, an input, a request, or values that a block has set. */
export const EntryOfChat = ({ entry, phone, differs, answer }: Props) => (
  <>
    {differs && <li className="phone-parting">{words.differsHere}</li>}
    <Shown entry={entry} phone={phone} answer={answer} />
  </>
);

const Shown = ({ entry, phone, answer }: Omit<Props, 'differs'>) => {
  switch (entry.type) {
    case 'says':
      return <Says entry={entry} start={phone.session.now} answer={answer} />;
    case 'input':
      return <Given entry={entry} start={phone.session.now} />;
    case 'request':
      return (
        <li className="phone-entry" data-by="service">
          <RequestEntry key={entry.visit} entry={entry} phone={phone} />
        </li>
      );
    case 'changes':
      return <ChangesEntry entry={entry} />;
    case 'starts':
      return <Starts flowId={entry.started.flow_id} />;
    default:
      return unreachable(entry);
  }
};

type Of<Type extends Entry['type']> = Extract<Entry, { type: Type }>;

/** A message of the flow. A click opens the block that has sent it. */
const Says = ({ entry, start, answer }: { entry: Of<'says'>; start: string; answer: Props['answer'] }) => {
  const { definition, open } = useBuilder();
  const { text, image_url: image, attachments, quick_replies: replies, sent_at: at } = entry.message;
  return (
    <li className="phone-entry" data-by="flow">
      <button
        type="button"
        className="phone-bubble"
        title={words.openBlock(titleOf(definition, entry.blockId))}
        onClick={() => open(entry.blockId)}
      >
        {attachments.map(({ id, type, name }) => (
          <span key={id} className="phone-note">
            {`${words.attached[type]}: ${name}`}
          </span>
        ))}
        {attachments.length > 0 && text !== '' && '\n'}
        {image !== null && <span className="phone-note">{`${words.image}: ${image}`}</span>}
        {image !== null && text !== '' && '\n'}
        {text}
        <span className="phone-at">{sayClock(at, start)}</span>
      </button>
      {answer && replies.length > 0 && (
        <div className="phone-answers" role="group" aria-label={words.answers}>
          {[...new Set(replies)].map((reply) => (
            <button key={reply} type="button" className="phone-answer" onClick={() => answer(reply)}>
              {reply}
            </button>
          ))}
        </div>
      )}
    </li>
  );
};

/** What came for the contact: a message of it, time, or an event. */
const Given = ({ entry: { input, taken }, start }: { entry: Of<'input'>; start: string }) => {
  if (!isMessage(input))
    return (
      <Note isWaiting={!taken}>
        {sayInput(input)}
        {taken && sayRouted(taken) && ` · ${sayRouted(taken)}`}
      </Note>
    );
  return (
    <li className="phone-entry" data-by="contact" data-is-waiting={!taken}>
      <div className="phone-bubble">
        {'attachments' in input &&
          input.attachments.map((one, index) => (
            <span key={index} className="phone-note">
              {sayAttachment(one)}
            </span>
          ))}
        {input.text}
        {taken && <span className="phone-at">{sayClock(taken.at, start)}</span>}
      </div>
      {taken && sayRouted(taken) && <span className="phone-note">{sayRouted(taken)}</span>}
    </li>
  );
};

const Starts = ({ flowId }: { flowId: string }) => {
  const { nameOf } = useFlowNames();
  return <Note>{words.startsFlow(nameOf(flowId))}</Note>;
};

const Note = ({ isWaiting = false, children }: { isWaiting?: boolean; children: ReactNode }) => (
  <li className="phone-entry" data-by="clock" data-is-waiting={isWaiting}>
    <span className="phone-note">{children}</span>
  </li>
);

type Said = Extract<PhoneInput, { text: string } | { attachments: unknown }>;

const isMessage = (input: PhoneInput): input is Said => 'text' in input || 'attachments' in input;

const sayAttachment = (one: Extract<PhoneInput, { attachments: unknown }>['attachments'][number]): string => {
  if ('media_id' in one) return `${words.attached.file}: ${one.media_id}`;
  return one.type === 'location'
    ? `${words.attached.location}: ${one.latitude}, ${one.longitude}`
    : `${words.attached[one.type]}: ${one.name}`;
};

/** An input that is no message, in words. */
const sayInput = (input: Exclude<PhoneInput, Said>): string => {
  if ('after' in input) return words.passed(sayDuration(durationMs(input.after) ?? 0));
  switch (input.event) {
    case 'tag_applied':
      return words.told.tag_applied(input.data.tag.name);
    case 'handover_ended':
      return words.told.handover_ended[input.data.status];
    case 'child_ended':
      return words.told.child_ended[input.data.status];
    case 'order_placed':
    case 'order_status_changed':
      return words.told[input.event];
    default:
      return unreachable(input);
  }
};

const isSaid = (because: string): because is keyof typeof words.routed => Object.hasOwn(words.routed, because);

/** What became of an input, where the conversation does not show it by itself. */
const sayRouted = ({ to, because, by }: Taken): string | undefined => {
  if (because !== null) return isSaid(because) ? words.routed[because] : because;
  if (to === 'flow') return by === 'tag_applied' ? undefined : words.routed.flow;
  return to === 'consent' || to === 'handover' || to === 'nobody' ? words.routed[to] : undefined;
};
