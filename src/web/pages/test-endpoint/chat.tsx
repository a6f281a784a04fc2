import { Button, Group, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { mayAs } from '../../api/session.ts';
import { To } from '../../parts/to.tsx';
import { useList } from '../../parts/use-list.ts';
import { useSending } from '../../parts/use-sending.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { Step } from './step.tsx';
import { words as all } from './words.ts';

const words = all.steps;

/** A chat with the flow as a visitor of a site: on the demo page of a webchat. */
export const Chat = ({ number, isNext }: { number: number; isNext: boolean }) => {
  const { rows: channels } = useList('/channels', { limit: 200 });
  const mayCreate = mayAs('editor', useSignedIn());
  const { isSending, send } = useSending();
  const channel = channels?.find(({ type }) => type === 'webchat');
  const create = (): void =>
    void send(async () => {
      await client.POST('/channels', { body: { type: 'webchat', name: words.chatName, greeting: words.chatGreeting } });
      await invalidate('/channels', '/overview');
    });
  return (
    <Step number={number} title={words.chat} hint={words.chatHint} isDone={channel !== undefined} isNext={isNext}>
      {channel ? (
        <Group gap="md">
          <Button
            component="a"
            href={`/webchat/${channel.id}/demo`}
            target="_blank"
            rel="noreferrer"
            rightSection={<IconExternalLink size={16} aria-hidden />}
          >
            {words.openDemo}
          </Button>
          <Text size="sm">{words.chatDone}</Text>
          <To to={`/settings/channels/${channel.id}`}>{words.openChannel}</To>
        </Group>
      ) : (
        mayCreate && (
          <Group>
            <Button loading={isSending} disabled={!channels} onClick={create}>
              {words.createChat}
            </Button>
          </Group>
        )
      )}
    </Step>
  );
};
