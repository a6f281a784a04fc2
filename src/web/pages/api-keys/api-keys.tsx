import { Button, Code } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
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
import { CreateKey } from './create-key.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

type ApiKey = Schemas['ApiKey'];

/** Settings, API: the account's keys are created, listed and revoked (specification 5.4). */
export const Page = () => {
  const { t } = useTranslation(['apiKeys', 'shell']);
  const list = useList('/api-keys');
  const [isCreating, { open, close }] = useDisclosure();
  const create = <Button onClick={open}>{t('create')}</Button>;

  const revoke = ({ id, name }: ApiKey): void =>
    confirm({
      title: t('revokeTitle', { name }),
      children: t('revokeText'),
      action: t('revoke'),
      isDangerous: true,
      onConfirm: async () => {
        await client.DELETE('/api-keys/{id}', { params: { path: { id } } });
        await invalidate('/api-keys');
      },
    });

  return (
    <Frame title={t('title')} description={t('description')} actions={create}>
      <DataTable
        label={t('list')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { heading: t('name'), show: ({ name }) => name },
          { heading: t('prefix'), show: ({ prefix }) => <Code>{prefix}…</Code> },
          { heading: t('created'), show: ({ created_at }) => <Time at={created_at} /> },
          {
            heading: t('lastUsed'),
            show: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} format="ago" /> : t('shell:never')),
          },
          {
            heading: t('status'),
            show: ({ revoked_at }) =>
              revoked_at ? <Status tone="off">{t('revoked')}</Status> : <Status tone="good">{t('active')}</Status>,
          },
          rowActions((key: ApiKey) =>
            key.revoked_at ? null : (
              <RowAction label={t('revokeTitle', { name: key.name })} onClick={() => revoke(key)}>
                {t('revoke')}
              </RowAction>
            ),
          ),
        ]}
        empty={
          <Empty title={t('empty')} action={create}>
            {t('emptyHint')}
          </Empty>
        }
      />
      <WebhookSecret />
      {isCreating && <CreateKey close={close} />}
    </Frame>
  );
};
