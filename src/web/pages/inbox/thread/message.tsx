import { Anchor, Button, Pill } from '@mantine/core';
import { Link } from 'react-router';
import { memo, type ReactNode } from 'react';
import type { Schemas } from '../../../api/client.ts';
import { Attachments } from '../../../parts/attachments.tsx';
import { MessageStatus } from '../../../parts/message-status.tsx';
import { OutLink } from '../../../parts/out-link.tsx';
import { Time } from '../../../parts/time.tsx';
import { messageWords } from '../../../words/messages.ts';
import { words as all } from '../words.ts';
import { Routed } from './routed.tsx';

const words = all.thread;

type Props = {
  message: Schemas['Message'];
  /** What the contact is called. */
  name: string;
  sayUser: (id: string) => string;
  /** Sends a text once more, as another message; undefined where nothing can be sent. */
  sendAgain: ((message: Schemas['Message']) => void) | undefined;
};

type Author = 'contact' | 'bot' | 'agent';

const authorOf = ({ direction, sent_by: by }: Schemas['Message']): Author => {
  if (direction === 'inbound') return 'contact';
  return by?.type === 'flow' ? 'bot' : 'agent';
};

/** A message, with who wrote it, what became of it, and what automation made of it. */
export const Message = memo(({ message, name, sayUser, sendAgain }: Props) => {
  const {
    text,
    image_url: imageUrl,
    quick_replies: quickReplies,
    created_at: at,
    sent_by: by,
    run_id: runId,
  } = message;
  const author = authorOf(message);
  const isLost = author === 'agent' && message.status === 'failed';
  return (
    <li className="talk" data-id={message.id} data-by={author} data-status={message.status ?? undefined}>
      <Said
        by={author === 'contact' ? name : sayAuthor(by, sayUser)}
        at={at}
        text={text}
        beside={message.edited_at !== null && <Edited />}
      >
        {imageUrl !== null && <OutLink href={imageUrl}>{messageWords.image}</OutLink>}
        {quickReplies.length > 0 && (
          <Pill.Group role="group" aria-label={messageWords.quickReplies}>
            {[...new Set(quickReplies)].map((reply) => (
              <Pill key={reply}>{reply}</Pill>
            ))}
          </Pill.Group>
        )}
        <Attachments attachments={message.attachments} />
        <MessageStatus message={message} />
        <Routed to={message.routed_to} />
        {runId !== null && (
          <Anchor component={Link} to={`/runs/${runId}`} size="xs">
            {words.toRun}
          </Anchor>
        )}
        {isLost && sendAgain && (
          <Button size="compact-xs" variant="default" onClick={() => sendAgain(message)}>
            {words.again}
          </Button>
        )}
      </Said>
    </li>
  );
});

const Edited = () => <span className="talk-time">{words.edited}</span>;

const sayAuthor = (by: Schemas['Message']['sent_by'], sayUser: (id: string) => string): string => {
  if (by?.type === 'user' && by.id !== null) return sayUser(by.id);
  return by?.type === 'flow' ? words.bot : words.api;
};

type SaidProps = { by: string; at: string; text: string; beside?: ReactNode; children?: ReactNode };

/** What somebody has written: who, when, the text, and what belongs to it. In plain elements, because a thread has many. */
export const Said = ({ by, at, text, beside, children }: SaidProps) => (
  <>
    <div className="talk-head">
      <span className="talk-author">{by}</span>
      {beside}
      <span className="talk-time">
        <Time at={at} format="clock" />
      </span>
    </div>
    {text !== '' && (
      <p className="talk-text" dir="auto">
        {text}
      </p>
    )}
    {children}
  </>
);
