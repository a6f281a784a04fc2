import { CloseButton, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { usePresence } from '../../live/presence.ts';
import { useThread } from '../../live/thread.ts';
import { showFailure } from '../../parts/failure.tsx';
import { showDone } from '../../parts/show-done.tsx';
import { useIsPainted } from '../../parts/use-is-painted.ts';
import { commonWords } from '../../words/common.ts';
import { Actions, type OpenMenu } from './actions/actions.tsx';
import { useActing } from './actions/use-acting.ts';
import { Composer } from './composer/composer.tsx';
import type { Kind } from './composer/draft-key.ts';
import { send, useOutgoing, type SentFile } from './composer/outgoing.ts';
import type { Given } from './composer/reply-editor.tsx';
import { composerId } from './composer/text.tsx';
import { Context } from './context/context.tsx';
import { contextId, Head } from './head.tsx';
import { useKeys } from './keys/use-keys.ts';
import { Thread } from './thread/thread.tsx';
import { useAnchor } from './thread/use-anchor.ts';
import { useMarkRead } from './thread/use-mark-read.ts';
import { useReading } from './thread/use-reading.ts';
import { words } from './words.ts';

type Props = {
  conversation: Schemas['Conversation'];
  contact: Schemas['Contact'] | undefined;
  title: string;
  name: string;
  hasKeys: boolean;
};

/** The text of the composer gets the focus, once it is there. */
const write = (begins = ''): void =>
  void requestAnimationFrame(() => {
    const text = document.querySelector<HTMLTextAreaElement>(`#${composerId}`);
    // One that takes no letters would take the keys of the page away.
    if (!text || text.readOnly) return;
    text.focus();
    if (begins === '') return;
    // As if it were typed, so that the browser can undo it and the page hears of it.
    const isApart = text.value !== '' && !/\s$/.test(text.value);
    text.setSelectionRange(text.value.length, text.value.length);
    document.execCommand('insertText', false, `${isApart ? ' ' : ''}${begins}`);
  });

/** Gives the focus to a button of this page, once it is there. */
const focusOn = (selector: string): void =>
  void requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus());

/** A conversation that is open: its thread, the composer, what can be done, and whom it is with. */
export const Talk = ({ conversation, contact, title, name, hasKeys }: Props) => {
  const { id, status } = conversation;
  const { leave, ...anchor } = useAnchor();
  const thread = useThread(conversation, { notes: true, acts: true, around: anchor.id });
  const { messages, notes } = thread;
  const newest = messages.rows && notes.rows && `${messages.rows[0]?.id} ${notes.rows[0]?.id}`;
  const { back } = thread;
  const isAtNewest = !back || back.isAtNewest;
  const reading = useReading(id, { newest, isBack: back !== undefined, isAtNewest });
  // Nobody has seen the end of what is not there yet.
  const { keepUnread } = useMarkRead(conversation, {
    isAtEnd: reading.isAtEnd && messages.rows !== undefined,
    seen: thread.revision,
  });
  const others = usePresence(id);
  const acting = useActing(conversation);
  const outgoing = useOutgoing(id, messages.rows);
  const leaving = useRef(leave);
  useEffect(() => {
    leaving.current = leave;
  });
  // A reply is seen where it goes to.
  const isSending = !isAtNewest && outgoing.some(({ state }) => state === 'sending');
  const isGone = back?.error instanceof ApiFailure && back.lists === undefined && back.error.status === 404;
  useEffect(() => {
    if (isGone) showDone({ message: words.thread.gone, how: 'not' });
    if (isGone || isSending) leaving.current();
  }, [isGone, isSending]);
  const [kind, setKind] = useState<Kind>('reply');
  const [menu, setMenu] = useState<OpenMenu>();
  const [given, setGiven] = useState<Given>();
  const [isContextOpen, context] = useDisclosure();
  // What was said is there first: this column has more in it, and nobody waits for it.
  const isPainted = useIsPainted();
  const isOpen = status === 'open';

  // On narrow screens the details come over the thread, and the focus goes with them.
  const showContext = (): void => {
    context.open();
    focusOn('.inbox-hide-context');
  };
  const hideContext = (): void => {
    context.close();
    focusOn('.inbox-show-context');
  };
  useKeys({ escape: hideContext }, isContextOpen);
  const writeAs = (chosen: Kind, begins?: string) => () => {
    setKind(chosen);
    write(begins);
  };
  const markUnread = (): void =>
    void keepUnread()
      .then(() => showDone({ message: words.actions.markedUnread }))
      .catch(showFailure);
  useKeys(
    {
      r: writeAs('reply'),
      n: writeAs('note'),
      '/': isOpen ? writeAs('reply', '/') : undefined,
      e: isOpen ? acting?.close : acting?.reopen,
      a: isOpen ? () => setMenu('assign') : undefined,
      s: isOpen ? () => setMenu('snooze') : undefined,
      u: markUnread,
    },
    hasKeys,
  );
  const edit = (text: string): void => {
    setGiven({ text, onTaken: () => setGiven(undefined) });
    writeAs('reply')();
  };
  const seen = useRef(thread.revision);
  useEffect(() => {
    seen.current = thread.revision;
  });
  // The same function as long as it is the same conversation: otherwise each reply would render all messages anew.
  const sendAgain = useCallback(
    ({ text, attachments }: Schemas['Message']): void =>
      void send({ conversationId: id, text, files: filesOf(attachments), seen: seen.current }),
    [id],
  );
  return (
    <>
      <section className="inbox-thread" aria-label={title}>
        <Head
          {...{ conversation, title, name, others }}
          isContextOpen={isContextOpen}
          toggleContext={isContextOpen ? hideContext : showContext}
          actions={acting && <Actions {...{ conversation, contact, acting, menu, setMenu }} keepUnread={markUnread} />}
        />
        <Thread
          {...{ conversation, thread, name, reading, anchor, leave, outgoing }}
          edit={isOpen ? edit : undefined}
          send={isOpen ? sendAgain : undefined}
        />
        <Composer {...{ conversation, name, kind, setKind, given }} seen={thread.revision} />
      </section>
      <section
        id={contextId}
        className="inbox-context"
        aria-label={words.context.label}
        data-is-open={isContextOpen || undefined}
      >
        <CloseButton className="inbox-hide-context" aria-label={commonWords.close} onClick={hideContext} />
        {isPainted && contact ? <Context conversation={conversation} contact={contact} /> : <Skeleton height={240} />}
      </section>
    </>
  );
};

/** The files among attachments: a location or a contact card is never sent to a contact. */
const filesOf = (attachments: readonly Schemas['Attachment'][]): SentFile[] =>
  attachments.filter((one): one is SentFile => 'url' in one);
