import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useParams } from 'react-router';
import { api, client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { mayAs } from '../../api/session.ts';
import { keepWarnings } from '../../api/warnings.ts';
import { confirm } from '../../parts/confirm.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { KeptWarnings } from '../../parts/kept-warnings.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { readingOf } from '../../parts/freshness.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Time } from '../../parts/time.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { ChannelForm, type ChannelWritten } from './channel-form.tsx';
import type { KindOfChannel } from './kinds/kind.ts';
import { kindsOfChannels } from './kinds/kinds.ts';
import { words } from './words.ts';

/** A channel: what it is, and how it is used, as its kind says. */
export const Page = () => {
  const { id = '' } = useParams();
  const path = { id };
  const asked = api.useQuery('get', '/channels/{id}', { params: { path } });
  const { data: channel, error, refetch } = asked;
  const [isEditing, { open, close }] = useDisclosure();
  const [secret, setSecret] = useState<string>();
  const mayEdit = mayAs('editor', useSignedIn());
  const above = [{ title: words.title, to: '/settings/channels' }];

  const save = async ({ changed }: ChannelWritten): Promise<void> => {
    const { data } = await client.PATCH('/channels/{id}', { params: { path }, body: changed });
    keepWarnings(id, data?.warnings, changed);
    await invalidate('/channels');
    close();
    setSecret(data?.secret);
  };
  const rotate = ({ name }: Schemas['Channel'], { rotateText }: KindOfChannel): void =>
    confirm({
      title: words.rotateTitle(name),
      children: rotateText,
      action: words.rotate,
      onConfirm: async () => {
        const { data } = await client.POST('/channels/{id}/rotate-secret', { params: { path } });
        setSecret(data?.secret);
      },
    });

  if (!channel) return <LoadingPage title={words.title} above={above} error={error} retry={() => void refetch()} />;
  const kind: KindOfChannel = kindsOfChannels[channel.type];
  return (
    <Frame
      title={channel.name}
      above={above}
      reading={readingOf(asked)}
      actions={
        mayEdit && (
          <>
            {kind.rotateText !== undefined && (
              <Button variant="default" onClick={() => rotate(channel, kind)}>
                {words.rotate}
              </Button>
            )}
            <Button onClick={open}>{words.edit}</Button>
          </>
        )
      }
    >
      <KeptWarnings of={id} names={kind.names} />
      <Facts
        facts={[
          [words.id, <Copyable key="id" value={channel.id} label={words.id} />],
          [words.type, kind.title],
          kind.lead(channel),
          [words.created, <Time key="created" at={channel.created_at} />],
        ]}
      />
      <kind.Parts channel={channel} />
      {isEditing && <ChannelForm close={close} channel={channel} save={save} />}
      <ShownOnce value={secret} title={words.secret} hint={kind.secretHint ?? ''} end={() => setSecret(undefined)} />
    </Frame>
  );
};
