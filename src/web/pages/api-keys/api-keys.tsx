import { Button, Code } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useDisclosure } from '@mantine/hooks';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { RowAction, rowActions } from '../../parts/row-action.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useList } from '../../parts/use-list.ts';
import { commonWords } from '../../words/common.ts';
import { CreateKey } from './create-key.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import { words } from './words.ts';

type ApiKey = Schemas['ApiKey'];

/** Settings, API: the account's keys are created, listed and revoked (specification 5.4). */
export const Page = () => {
  const list = useList('/api-keys');
  const [isCreating, { open, close }] = useDisclosure();
  const create = <Button onClick={open}>{words.create}</Button>;

  const revoke = ({ id, name }: ApiKey): void =>
    confirm({
      title: words.revokeTitle(name),
      children: words.revokeText,
      action: words.revoke,
      isDangerous: true,
      onConfirm: async () => {
        await client.DELETE('/api-keys/{id}', { params: { path: { id } } });
        await invalidate('/api-keys');
      },
    });

  return (
    <Frame title={words.title} description={words.description} actions={create}>
      <DataTable
        label={words.list}
        counted={words.counted}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { heading: words.name, show: ({ name }) => name },
          { heading: words.prefix, card: 'line', show: ({ prefix }) => <Code>{prefix}…</Code> },
          { heading: words.created, card: 'hidden', show: ({ created_at }) => <Time at={created_at} /> },
          {
            heading: words.lastUsed,
            card: 'end',
            cardHeading: true,
            show: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : commonWords.never),
          },
          {
            heading: words.status,
            card: 'aside',
            show: ({ revoked_at }) =>
              revoked_at ? <Status tone="off">{words.revoked}</Status> : <Status tone="good">{words.active}</Status>,
          },
          rowActions((key: ApiKey) =>
            key.revoked_at ? null : (
              <RowAction label={words.revokeTitle(key.name)} onClick={() => revoke(key)}>
                {words.revoke}
              </RowAction>
            ),
          ),
        ]}
        empty={
          <Empty icon={IconKey} title={words.empty} action={create}>
            {words.emptyHint}
          </Empty>
        }
      />
      <WebhookSecret />
      {isCreating && <CreateKey close={close} />}
    </Frame>
  );
};
