import '../phone/phone.css';
import { ActionIcon, Button, Center, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconSend2 } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { client, type Schemas } from '../../../api/client.ts';
import { invalidate } from '../../../api/query-client.ts';
import { nameOfUser } from '../../../parts/name-of-user.ts';
import { OutLink } from '../../../parts/out-link.tsx';
import { Time } from '../../../parts/time.tsx';
import { To } from '../../../parts/to.tsx';
import { useList } from '../../../parts/use-list.ts';
import { useSending } from '../../../parts/use-sending.ts';
import { writeAsContact } from '../../../parts/write-as-contact.ts';
import { useSignedIn } from '../../../shell/session-context.ts';
import { messageWords } from '../../../words/messages.ts';
import { Routed } from '../../inbox/thread/routed.tsx';
import type { AnyDefinition } from '../definition-text.ts';
import { firstWordOf } from './first-word.ts';
import { words } from './words.ts';

type Message = Schemas['Message'];

type Props = { flow: Schemas['Flow']; definition: AnyDefinition; close: () => void };

/** A conversation with a live flow, as a contact who is the user: what it writes is really sent, and what it answers is shown. */
export const TalkToFlow = ({ flow, definition, close }: Props) => {
  const { user } = useSignedIn();
  const firstWord = firstWordOf(definition);
  const [text, setText] = useState(firstWord ?? 'Hello');
  const [contactId, setContactId] = useState<string>();
  const { isSending, send } = useSending();
  const { rows = [] } = useList('/contacts/{id}/messages', {
    id: contactId ?? '',
    limit: 50,
    isEnabled: contactId !== undefined,
  });
  const messages = contactId === undefined ? [] : rows.toReversed();
  const input = useRef<HTMLInputElement>(null);
  const say = (said: string): void =>
    void send(async () => {
      const answer = await writeAsContact({
        externalId: `dashboard-${user.id}`,
        firstName: nameOfUser(user),
        text: said,
      });
      if (answer) setContactId(answer.contact_id);
      setText('');
      input.current?.focus();
    });
  const startFlow = (): void =>
    void send(async () => {
      await client.POST('/contacts/{id}/flows', {
        params: { path: { id: contactId ?? '' } },
        body: { flow_id: flow.id },
      });
      await invalidate('/contacts', '/runs');
    });
  return (
    <Modal opened onClose={close} title={words.title} size="md">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {words.about}
        </Text>
        <Said messages={messages} isWaiting={contactId !== undefined} answer={say} />
        <form
          className="phone-composer"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== '' && !isSending) say(text);
          }}
        >
          <TextInput
            ref={input}
            data-autofocus
            flex={1}
            radius="xl"
            aria-label={words.write}
            placeholder={words.writeHint}
            autoComplete="off"
            maxLength={5_000}
            value={text}
            onFocus={({ currentTarget }) => currentTarget.select()}
            onChange={({ currentTarget: { value } }) => setText(value)}
          />
          <ActionIcon type="submit" size={36} radius="xl" aria-label={words.sendIt} loading={isSending}>
            <IconSend2 size={18} aria-hidden />
          </ActionIcon>
        </form>
        {firstWord === undefined && (
          <Group gap="sm">
            <Text size="sm">{words.noWord}</Text>
            {contactId !== undefined && (
              <Button size="xs" variant="default" loading={isSending} onClick={startFlow}>
                {words.start}
              </Button>
            )}
          </Group>
        )}
        {messages[0] && (
          <Group gap="md">
            <To to={`/inbox/${messages[0].conversation_id}`}>{words.openConversation}</To>
            <To to={`/contacts/${messages[0].contact_id}`}>{words.openContact}</To>
          </Group>
        )}
      </Stack>
    </Modal>
  );
};

type SaidProps = { messages: readonly Message[]; isWaiting: boolean; answer: (text: string) => void };

const Said = ({ messages, isWaiting, answer }: SaidProps) => {
  const box = useRef<HTMLDivElement>(null);
  const { length } = messages;
  useEffect(() => {
    if (box.current && length > 0) box.current.scrollTop = box.current.scrollHeight;
  }, [length]);
  const last = messages.at(-1);
  return (
    <div ref={box} className="phone-scroll phone-chat talk" role="log" aria-label={words.conversation} tabIndex={0}>
      <ol className="phone-entries">
        {messages.map((message) => (
          <Bubble key={message.id} message={message} answer={message === last ? answer : undefined} />
        ))}
      </ol>
      {isWaiting && last?.direction !== 'outbound' && (
        <Center mt={6}>
          {last?.routed_to?.['to'] === 'nobody' ? (
            <Routed to={last.routed_to} />
          ) : (
            <Text size="xs" c="dimmed">
              {words.waiting}
            </Text>
          )}
        </Center>
      )}
    </div>
  );
};

const Bubble = ({ message, answer }: { message: Message; answer: ((text: string) => void) | undefined }) => {
  const { direction, text, image_url: image, quick_replies: replies, created_at: at } = message;
  return (
    <li className="phone-entry" data-by={direction === 'inbound' ? 'contact' : 'flow'}>
      <div className="phone-bubble">
        {image !== null && <OutLink href={image}>{messageWords.image}</OutLink>}
        {text}
        <span className="phone-at">
          <Time at={at} format="clock" />
        </span>
      </div>
      {answer && replies.length > 0 && (
        <div className="phone-answers" role="group" aria-label={messageWords.quickReplies}>
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
