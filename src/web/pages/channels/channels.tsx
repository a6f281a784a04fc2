import { Button, Text } from '@mantine/core';
import { IconPlug } from '@tabler/icons-react';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { mayAs } from '../../api/session.ts';
import { keepWarnings } from '../../api/warnings.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { channelKind } from '../../parts/kinds/channel-kinds.ts';
import { KindIcon } from '../../parts/kinds/kind-icon.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Time } from '../../parts/time.tsx';
import { useList } from '../../parts/use-list.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { ChannelForm, type ChannelWritten } from './channel-form.tsx';
import type { KindOfChannel } from './kinds/kind.ts';
import { kindsOfChannels, type TypeOfChannel } from './kinds/kinds.ts';
import { To } from '../../parts/to.tsx';
import { words } from './words.ts';

const kindOf = (type: TypeOfChannel): KindOfChannel => kindsOfChannels[type];

/** Settings, Channels: where contacts write. */
export const Page = () => {
  const mayEdit = mayAs('editor', useSignedIn());
  const list = useList('/channels');
  const navigate = useNavigate();
  const [isCreating, { open, close }] = useDisclosure();
  const [made, setMade] = useState<{ id: string; type: TypeOfChannel; secret: string }>();
  const create = mayEdit ? <Button onClick={open}>{words.create}</Button> : null;

  const save = async ({ type, all }: ChannelWritten): Promise<void> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of the kind has checked it
    const body = { type, ...all } as Schemas['NewChannel'];
    const { data } = await client.POST('/channels', { body });
    if (!data) return;
    keepWarnings(data.id, data.warnings);
    await invalidate('/channels');
    close();
    if (data.secret === undefined) await navigate(`/settings/channels/${data.id}`);
    else setMade({ id: data.id, type, secret: data.secret });
  };

  return (
    <Frame title={words.title} description={words.description} actions={create}>
      <DataTable
        label={words.list}
        list={list}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/settings/channels/${id}`}
        counted={words.counted}
        columns={[
          {
            heading: words.name,
            show: ({ id, name, type }) => (
              <span className="with-mark">
                <KindIcon kind={channelKind(type)} />
                <To to={`/settings/channels/${id}`}>{name}</To>
              </span>
            ),
          },
          { heading: words.type, card: 'aside', show: ({ type }) => kindOf(type).title },
          {
            heading: words.lead,
            card: 'line',
            show: (channel) => <Text size="sm">{kindOf(channel.type).lead(channel).join(': ')}</Text>,
          },
          { heading: words.created, card: 'hidden', show: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          <Empty icon={IconPlug} title={words.empty} action={create}>
            {words.emptyHint}
          </Empty>
        }
      />
      {isCreating && <ChannelForm close={close} save={save} />}
      <ShownOnce
        value={made?.secret}
        title={words.secret}
        hint={made ? (kindOf(made.type).secretHint ?? '') : ''}
        end={() => {
          if (made) void navigate(`/settings/channels/${made.id}`);
        }}
      />
    </Frame>
  );
};
