import { Button, Center, Skeleton, Stack, Text } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { useRef } from 'react';
import type { Schemas } from '../../api/client.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useThread } from '../../live/thread.ts';
import { Time } from '../../parts/time.tsx';
import { Message } from './message.tsx';
import { words } from './words.ts';

type Props = {
  conversation: Schemas['Conversation'];
  /** What the contact is called. */
  name: string;
};

/** What was said, the newest below; older messages are loaded above them, and leave what is read in its place. */
export const Thread = ({ conversation, name }: Props) => {
  const { rows, error, retry, more, isLoadingMore } = useThread(conversation).messages;
  const { created_at: openedAt } = conversation;
  const log = useRef<HTMLDivElement>(null);
  const loadOlder = (): void => {
    more?.();
    // The button goes away with the last page, and who uses the keyboard would be at the top of the page again.
    log.current?.focus({ preventScroll: true });
  };
  if (!rows) return error ? <Failure error={error} retry={retry} /> : <Skeleton height={320} />;
  if (rows.length === 0)
    return (
      <Empty icon={IconMessages} title={words.noMessages}>
        {words.noMessagesHint}
      </Empty>
    );
  return (
    <>
      {error ? <Failure error={error} retry={retry} /> : null}
      <div ref={log} className="thread" role="log" aria-label={words.messages} aria-busy={isLoadingMore} tabIndex={0}>
        <Stack gap="sm">
          <Center className="thread-beginning">
            {more ? (
              <Button variant="default" size="xs" onClick={loadOlder} loading={isLoadingMore}>
                {words.older}
              </Button>
            ) : (
              <Text size="xs" c="dimmed">
                {words.beginning} <Time at={openedAt} />
              </Text>
            )}
          </Center>
          <ol className="messages">
            {rows.toReversed().map((message) => (
              <Message key={message.id} message={message} name={name} />
            ))}
          </ol>
        </Stack>
      </div>
    </>
  );
};
