import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import type { Schemas } from '../../../api/client.ts';
import { Attachments } from '../../../parts/attachments.tsx';
import { sayFailureOf } from '../../../parts/failure.tsx';
import { useUsers } from '../../../parts/use-users.ts';
import { useSignedIn } from '../../../shell/session-context.ts';
import { failureWords } from '../../../words/failures.ts';
import { Said } from '../thread/message.tsx';
import { words } from '../words.ts';
import { attachAgain } from './attached.ts';
import { dropOutgoing, send, type Outgoing } from './outgoing.ts';

type Props = {
  conversationId: string;
  outgoing: readonly Outgoing[];
  /** Takes a text back into the composer; undefined where nothing can be written. */
  edit: ((text: string) => void) | undefined;
};

/** Replies that are not in the thread yet: under way, refused, or held back because a colleague was faster. */
export const OutgoingMessages = ({ conversationId, outgoing, edit }: Props) => {
  const { user } = useSignedIn();
  const { sayUser } = useUsers();
  return outgoing.map((message) => (
    <li key={message.ref} className="talk" data-by="agent" data-status={message.state}>
      <Said by={sayUser(user.id)} at={message.at} text={message.text}>
        <Attachments attachments={message.files} />
        {(message.state === 'sending' || message.state === 'sent') && (
          <Group gap={6} role="status">
            {message.state === 'sending' && <Loader size={12} aria-hidden />}
            <Text span size="xs" c="dimmed">
              {words.thread.sending}
            </Text>
          </Group>
        )}
        {message.state === 'failed' && <Refused {...{ conversationId, message, edit }} />}
        {message.state === 'crossed' && <Crossed {...{ conversationId, message, edit }} />}
      </Said>
    </li>
  ));
};

type OneProps<State extends Outgoing['state']> = Pick<Props, 'conversationId' | 'edit'> & {
  message: Extract<Outgoing, { state: State }>;
};

const useDecisions = ({
  conversationId,
  edit,
  message,
}: Pick<Props, 'conversationId' | 'edit'> & { message: Outgoing }) => {
  const drop = (): void => dropOutgoing(conversationId, message.ref);
  return {
    drop,
    takeBack:
      edit &&
      ((): void => {
        drop();
        attachAgain(conversationId, message.files);
        edit(message.text);
      }),
    sendSeen: (seen: number): void => {
      const { text, files, next, ref } = message;
      void send({ conversationId, text, files, seen, next, ref });
    },
  };
};

const Refused = ({ message, ...props }: OneProps<'failed'>) => {
  const { drop, takeBack, sendSeen } = useDecisions({ ...props, message });
  return (
    <Alert color="red" variant="light" title={words.thread.notSent} role="alert" p="xs">
      <Text size="sm">{sayFailureOf(message.error)}</Text>
      <Decisions again={() => sendSeen(message.seen)} againWords={failureWords.retry} takeBack={takeBack} drop={drop} />
    </Alert>
  );
};

const Crossed = ({ message, ...props }: OneProps<'crossed'>) => {
  const { answer } = message;
  const { sayUser } = useUsers();
  const { drop, takeBack, sendSeen } = useDecisions({ ...props, message });
  return (
    <Alert
      color="yellow"
      variant="light"
      title={words.composer.crossedTitle(nameOf(answer, sayUser))}
      role="alert"
      p="xs"
    >
      <Text size="sm" className="inbox-crossed" dir="auto">
        {answer.text}
      </Text>
      <Text size="xs" c="dimmed" mt={4}>
        {words.thread.crossed}
      </Text>
      <Decisions
        again={() => sendSeen(answer.revision)}
        againWords={words.composer.sendAnyway}
        takeBack={takeBack}
        drop={drop}
      />
    </Alert>
  );
};

type DecisionsProps = {
  again: () => void;
  againWords: string;
  takeBack: (() => void) | undefined;
  drop: () => void;
};

/** What an agent can do about a reply that was not sent. */
const Decisions = ({ again, againWords, takeBack, drop }: DecisionsProps) => (
  <Group gap="xs" mt="xs">
    <Button size="compact-sm" onClick={again}>
      {againWords}
    </Button>
    {takeBack && (
      <Button size="compact-sm" variant="default" onClick={takeBack}>
        {words.composer.edit}
      </Button>
    )}
    <Button size="compact-sm" variant="subtle" color="gray" onClick={drop}>
      {words.composer.discard}
    </Button>
  </Group>
);

const nameOf = ({ sent_by: by }: Schemas['Message'], sayUser: (id: string) => string): string =>
  by?.type === 'user' && by.id !== null ? sayUser(by.id) : words.thread.anAgent;
