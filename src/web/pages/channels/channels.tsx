import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { client } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { mayAs } from '../../api/session.ts';
import { keepWarnings } from '../../api/warnings.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Time } from '../../parts/time.tsx';
import { useList } from '../../parts/use-list.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { ChannelForm, type ChannelWritten } from './channel-form.tsx';
import { To } from '../../parts/to.tsx';

/** Settings, Channels: where contacts write. */
export const Page = () => {
  const { t } = useTranslation('channels');
  const mayEdit = mayAs('editor', useSignedIn());
  const list = useList('/channels');
  const navigate = useNavigate();
  const [isCreating, { open, close }] = useDisclosure();
  const [made, setMade] = useState<{ id: string; secret: string }>();
  const create = mayEdit ? <Button onClick={open}>{t('create')}</Button> : null;

  const save = async ({ all }: ChannelWritten): Promise<void> => {
    const { data } = await client.POST('/channels', { body: { type: 'api', ...all } });
    if (!data) return;
    keepWarnings(data.id, data.warnings);
    await invalidate('/channels');
    close();
    if (data.secret === undefined) await navigate(`/settings/channels/${data.id}`);
    else setMade({ id: data.id, secret: data.secret });
  };

  return (
    <Frame title={t('title')} description={t('description')} actions={create}>
      <DataTable
        label={t('list')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            heading: t('name'),
            show: ({ id, name }) => <To to={`/settings/channels/${id}`}>{name}</To>,
          },
          { heading: t('type'), show: ({ type }) => type },
          {
            heading: t('callbackUrl'),
            show: ({ callback_url }) =>
              callback_url ?? (
                <Text span size="sm" c="dimmed">
                  {t('noCallback')}
                </Text>
              ),
          },
          { heading: t('created'), show: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          <Empty title={t('empty')} action={create}>
            {t('emptyHint')}
          </Empty>
        }
      />
      {isCreating && <ChannelForm close={close} save={save} />}
      <ShownOnce
        value={made?.secret}
        title={t('secret')}
        hint={t('shownOnce')}
        end={() => {
          if (made) void navigate(`/settings/channels/${made.id}`);
        }}
      />
    </Frame>
  );
};
