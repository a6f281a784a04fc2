import { Button, Center, Skeleton, Text } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { useMemo } from 'react';
import { unreachable } from '../../../../shared/unreachable.ts';
import type { Schemas } from '../../../api/client.ts';
import type { Thread as Rows } from '../../../live/thread.ts';
import { locale } from '../../../locale.ts';
import { Empty } from '../../../parts/empty.tsx';
import { Failure } from '../../../parts/failure.tsx';
import { Time } from '../../../parts/time.tsx';
import { useUsers } from '../../../parts/use-users.ts';
import { OutgoingMessages } from '../composer/outgoing-messages.tsx';
import type { Outgoing } from '../composer/outgoing.ts';
import { threadId } from '../composer/text.tsx';
import { words as all } from '../words.ts';
import { ContactTyping } from './contact-typing.tsx';
import { ActLine } from './act-line.tsx';
import { createEntries, loadedFrom, type Entry } from './entries.ts';
import { Message, Said } from './message.tsx';
import type { Anchor } from './use-anchor.ts';
import { useLookingBack } from './use-looking-back.ts';
import type { useReading } from './use-reading.ts';

const words = all.thread;

const dayNames = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const sayDay = (at: string): string => dayNames.format(new Date(at));

type Props = {
  conversation: Schemas['Conversation'];
  thread: Rows;
  /** What the contact is called. */
  name: string;
  reading: ReturnType<typeof useReading>;
  /** The message around which it is read. */
  anchor: Anchor;
  /** Goes to the newest. */
  leave: () => void;
  outgoing: readonly Outgoing[];
  send: ((message: Schemas['Message']) => void) | undefined;
  edit: ((text: string) => void) | undefined;
};

/** What was said, noted and done, the newest below; older parts are loaded above, and leave what is read in its place. */
export const Thread = ({ conversation, thread, name, reading, anchor, leave, outgoing, send, edit }: Props) => {
  const { messages, notes, acts, back } = thread;
  const { sayUser } = useUsers();
  const { log, setLog, hasNews, toEnd, readPlace } = reading;
  const { rows: said, more: moreSaid } = messages;
  const { rows: noted, more: moreNoted } = notes;
  const { rows: done, more: moreDone } = acts;
  const [hasMoreSaid, hasMoreNoted, hasMoreDone] = [moreSaid, moreNoted, moreDone].map((more) => more !== undefined);
  const around = back?.lists;
  const lists = useMemo(
    () =>
      around
        ? {
            messages: { rows: around.messages, hasMore: false },
            notes: { rows: around.notes, hasMore: false },
            acts: { rows: around.acts, hasMore: false },
          }
        : {
            messages: { rows: said ?? [], hasMore: hasMoreSaid === true },
            notes: { rows: noted ?? [], hasMore: hasMoreNoted === true },
            acts: { rows: done ?? [], hasMore: hasMoreDone === true },
          },
    [around, said, hasMoreSaid, noted, hasMoreNoted, done, hasMoreDone],
  );
  const entries = useMemo(() => createEntries(lists, sayDay), [lists]);
  useLookingBack(log, { back, anchor, entries, readPlace });
  const isBusy = back ? back.isLoading : messages.isLoadingMore || notes.isLoadingMore || acts.isLoadingMore;
  const hasOlder = back ? back.hasOlder : loadedFrom(lists) !== '';
  const isAtNewest = !back || back.isAtNewest;
  const loadOlder = (): void => {
    if (back) back.older?.();
    else for (const list of [messages, notes, acts]) list.more?.();
    // The button goes away with the last page, and who uses the keyboard would be at the top of the page again.
    log?.focus({ preventScroll: true });
  };
  const error = back ? back.error : (messages.error ?? notes.error ?? acts.error);
  const retry = (): void => {
    for (const list of back ? [back] : [messages, notes, acts]) list.retry();
  };
  const isHere = back ? around !== undefined : said && noted && done;
  if (!isHere)
    return (
      <div className="inbox-log">{error ? <Failure error={error} retry={retry} /> : <Skeleton height={320} />}</div>
    );
  return (
    <div className="inbox-scroller">
      <div
        id={threadId}
        ref={setLog}
        className="inbox-log"
        role="log"
        aria-label={words.label}
        aria-busy={isBusy}
        data-looks-back={back ? '' : undefined}
        tabIndex={0}
      >
        <div className="inbox-log-inner">
          {error ? <Failure error={error} retry={retry} /> : null}
          <Center className="thread-beginning">
            {hasOlder ? (
              <Button variant="default" size="xs" onClick={loadOlder} loading={isBusy}>
                {words.older}
              </Button>
            ) : (
              <Text size="xs" c="dimmed">
                {words.beginning} <Time at={conversation.created_at} />
              </Text>
            )}
          </Center>
          {entries.length === 0 && outgoing.length === 0 && (
            <Empty icon={IconMessages} title={words.none}>
              {words.noneHint}
            </Empty>
          )}
          <ol className="talks">
            {entries.map((entry) => (
              <Line key={entry.id} {...{ entry, name, sayUser, send }} />
            ))}
            {isAtNewest && <OutgoingMessages conversationId={conversation.id} outgoing={outgoing} edit={edit} />}
          </ol>
          {!isAtNewest && (
            <Center mt="md">
              <Button variant="default" size="xs" onClick={back?.newer} loading={isBusy}>
                {words.newer}
              </Button>
            </Center>
          )}
        </div>
      </div>
      <ContactTyping conversationId={conversation.id} name={name} />
      {(hasNews || !isAtNewest) && (
        <Button size="compact-sm" className="inbox-to-end" onClick={isAtNewest ? toEnd : leave}>
          {hasNews ? words.news : words.toNewest}
        </Button>
      )}
    </div>
  );
};

type LineProps = Pick<Props, 'name' | 'send'> & { entry: Entry; sayUser: (id: string) => string };

const Line = ({ entry, name, sayUser, send }: LineProps) => {
  switch (entry.type) {
    case 'day':
      return <li className="talk-day">{sayDay(entry.at)}</li>;
    case 'act':
      return <ActLine act={entry.row} sayUser={sayUser} />;
    case 'note':
      return <Note note={entry.row} sayUser={sayUser} />;
    case 'message':
      return <Message message={entry.row} name={name} sayUser={sayUser} sendAgain={send} />;
    default:
      return unreachable(entry);
  }
};

const Note = ({ note, sayUser }: { note: Schemas['Note']; sayUser: (id: string) => string }) => (
  <li className="talk" data-by="note">
    <Said
      by={note.user_id === null ? words.api : sayUser(note.user_id)}
      at={note.created_at}
      text={note.text}
      beside={<span className="talk-mark">{words.note}</span>}
    />
  </li>
);
