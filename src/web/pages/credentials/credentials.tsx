import { Button, Code, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { KeptWarnings } from '../../parts/kept-warnings.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { RowAction, rowActions } from '../../parts/row-action.tsx';
import { Time } from '../../parts/time.tsx';
import { useList } from '../../parts/use-list.ts';
import { CredentialForm } from './credential-form.tsx';

type Credential = Schemas['Credential'];

/** Settings, Credentials: what flows prove themselves with to other services. No value is ever answered. */
export const Page = () => {
  const { t } = useTranslation(['credentials', 'shell']);
  const list = useList('/credentials');
  const [edited, setEdited] = useState<{ credential?: Credential }>();
  const create = <Button onClick={() => setEdited({})}>{t('create')}</Button>;

  const remove = ({ id, name }: Credential): void =>
    confirm({
      title: t('deleteTitle', { name }),
      children: t('deleteText'),
      action: t('shell:delete'),
      isDangerous: true,
      onConfirm: async () => {
        await client.DELETE('/credentials/{id}', { params: { path: { id } } });
        await invalidate('/credentials');
      },
    });

  return (
    <Frame title={t('title')} description={t('description')} actions={create}>
      {list.rows?.map(({ id, name }) => (
        <KeptWarnings
          key={id}
          of={id}
          title={t('warned', { name })}
          names={{ username: t('username'), password: t('password'), value: t('value') }}
        />
      ))}
      <DataTable
        label={t('list')}
        list={list}
        keyOf={({ id }) => id}
        minWidth={760}
        columns={[
          { heading: t('shell:name'), show: ({ name }) => <Code>{name}</Code> },
          { heading: t('sentAs'), show: ({ type, param }) => <Code>{t(`sent.${type}`, { param: param ?? '' })}</Code> },
          {
            heading: t('hosts'),
            show: ({ hosts }) => (
              <Stack gap={0}>
                {hosts.map((host) => (
                  <Text key={host} size="sm">
                    {host}
                  </Text>
                ))}
              </Stack>
            ),
          },
          { heading: t('changed'), width: 130, show: ({ updated_at }) => <Time at={updated_at} format="ago" /> },
          rowActions((credential: Credential) => (
            <>
              <RowAction label={t('replaceOf', { name: credential.name })} onClick={() => setEdited({ credential })}>
                {t('replace')}
              </RowAction>
              <RowAction label={t('deleteTitle', { name: credential.name })} onClick={() => remove(credential)}>
                {t('shell:delete')}
              </RowAction>
            </>
          )),
        ]}
        empty={
          <Empty title={t('empty')} action={create}>
            {t('emptyHint')}
          </Empty>
        }
      />
      {edited && <CredentialForm {...edited} close={() => setEdited(undefined)} />}
    </Frame>
  );
};
