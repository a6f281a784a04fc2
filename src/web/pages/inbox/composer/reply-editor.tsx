import { ActionIcon, Alert, Button, Group, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconRobot } from '@tabler/icons-react';
import { useEffect } from 'react';
import type { Schemas } from '../../../api/client.ts';
import { useFlowNames } from '../../../parts/use-flow-names.ts';
import { useNow } from '../../../parts/use-now.ts';
import { useList } from '../../../parts/use-list.ts';
import { snoozeTimes } from '../actions/snooze-times.ts';
import { words as all } from '../words.ts';
import { useAttached } from './attached.ts';
import { AttachButton, AttachedFiles } from './attached-files.tsx';
import { DropFiles } from './drop-files.tsx';
import { send, type Next } from './outgoing.ts';
import { ReplyText } from './text.tsx';
import { useDraft } from './use-draft.ts';

const words = all.composer;

/** A text that is to be edited again, and what is called once the editor has it. */
export type Given = { text: string; onTaken: () => void };

type Props = {
  conversation: Schemas['Conversation'];
  name: string;
  seen: number;
  given: Given | undefined;
};

/**
 * Writes a reply to the contact, and says before it is sent whether a flow is talking. In a closed conversation the text stays and takes no letters:
 * without it, whoever is typing while a colleague closes would press the keys of the page.
 */
export const ReplyEditor = ({ conversation, name, seen, given }: Props) => {
  const { id, contact_id: contactId, state } = conversation;
  const isClosed = conversation.status === 'closed';
  const draft = useDraft(id, 'reply');
  const text = draft.text.trim();
  const files = useAttached(id);
  const isReady = !isClosed && (text !== '' || files.attached.length > 0) && !files.isUploading && !files.hasFailed;
  const now = new Date(useNow());
  useEffect(() => {
    if (!given) return;
    given.onTaken();
    if (draft.text === given.text) return;
    draft.change(draft.text === '' ? given.text : `${given.text}\n${draft.text}`);
  }, [given, draft]);
  const submit = (next?: Next): void => {
    if (!isReady) return;
    draft.hold(send({ conversationId: id, text, files: files.take(), seen, next, after: draft.clear() }));
  };
  return (
    <DropFiles add={isClosed ? undefined : files.add}>
      {isClosed && (
        <Text size="sm" c="dimmed" p="sm" role="status">
          {words.closed}
        </Text>
      )}
      {!isClosed && state !== 'handover' && text !== '' && <BotTalks contactId={contactId} />}
      <ReplyText
        conversationId={id}
        contactId={contactId}
        kind="reply"
        label={words.replyTo(name)}
        placeholder={isClosed ? '' : words.placeholder}
        isReadOnly={isClosed}
        draft={draft}
        submit={() => submit()}
        onPaste={isClosed ? undefined : files.add}
        above={<AttachedFiles {...files} />}
      >
        {!isClosed && (
          <Group gap={4} wrap="nowrap">
            <AttachButton {...files} />
            <Button size="sm" onClick={() => submit()} disabled={!isReady} title={words.sendHint}>
              {words.send}
            </Button>
            <Menu position="top-end">
              <Menu.Target>
                <ActionIcon size={36} aria-label={words.sendMore} disabled={!isReady}>
                  <IconChevronDown size={16} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => submit('close')}>{words.sendAndClose}</Menu.Item>
                {snoozeTimes(now).map(({ name: time, at, said }) => (
                  <Menu.Item key={time} onClick={() => submit({ snooze_until: at.toISOString() })}>
                    <span>{words.sendAndSnooze(said)}</span>
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          </Group>
        )}
      </ReplyText>
    </DropFiles>
  );
};

/** Which flow is talking with the contact, or that one may; nothing where there are no flows. */
const BotTalks = ({ contactId }: { contactId: string }) => {
  const { flows, nameOf } = useFlowNames();
  const { rows } = useList('/runs', { query: { contact_id: contactId }, limit: 10 });
  const run = rows?.find(({ status }) => status === 'running' || status === 'waiting');
  if (!run && flows.length === 0) return null;
  return (
    <Alert variant="light" p="xs" icon={<IconRobot size={18} aria-hidden />} role="status">
      {run ? words.botTalks(nameOf(run.flow_id)) : words.botMayTalk}
    </Alert>
  );
};
