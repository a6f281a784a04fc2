import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { IconLock, IconPlugConnectedX } from '@tabler/icons-react';
import { useState } from 'react';
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
import { commonWords } from '../../words/common.ts';
import { CredentialForm } from './credential-form.tsx';
import { OAuth2State } from './oauth2-state.tsx';
import { TryAgain } from './try-again.tsx';
import { words } from './words.ts';

type Credential = Schemas['Credential'];

/** Settings, Credentials: what flows prove themselves with to other services. No value is ever answered. */
export const Page = () => {
  const list = useList('/credentials');
  const [edited, setEdited] = useState<{ credential?: Credential }>();
  const refused = list.rows?.filter(({ oauth2 }) => oauth2?.state === 'reconnect') ?? [];
  const create = <Button onClick={() => setEdited({})}>{words.create}</Button>;

  const remove = ({ id, name }: Credential): void =>
    confirm({
      title: words.deleteTitle(name),
      children: words.deleteText,
      action: commonWords.delete,
      isDangerous: true,
      onConfirm: async () => {
        await client.DELETE('/credentials/{id}', { params: { path: { id } } });
        await invalidate('/credentials');
      },
    });

  return (
    <Frame title={words.title} description={words.description} actions={create}>
      {refused.length > 0 && (
        <Alert color="red" icon={<IconPlugConnectedX />} title={words.refused(refused.length)} mb="md">
          {words.reconnectText}
        </Alert>
      )}
      {list.rows?.map(({ id, name }) => (
        <KeptWarnings
          key={id}
          of={id}
          title={words.warned(name)}
          names={{
            username: words.username,
            password: words.password,
            value: words.value,
            token_url: words.tokenUrl,
            client_id: words.clientId,
            client_secret: words.clientSecret,
            refresh_token: words.refreshToken,
          }}
        />
      ))}
      <DataTable
        label={words.list}
        counted={words.counted}
        list={list}
        keyOf={({ id }) => id}
        minWidth={900}
        columns={[
          { heading: commonWords.name, show: ({ name }) => <Code>{name}</Code> },
          {
            heading: words.state,
            card: 'line',
            show: ({ oauth2 }) => oauth2 && <OAuth2State client={oauth2} />,
          },
          {
            heading: words.sentAs,
            card: 'line',
            show: ({ type, param }) => <Code>{words.sent[type](param ?? '')}</Code>,
          },
          {
            heading: words.hosts,
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
          { heading: words.changed, card: 'aside', width: 130, show: ({ updated_at }) => <Time at={updated_at} /> },
          rowActions((credential: Credential) => (
            <>
              {credential.oauth2?.state === 'reconnect' && <TryAgain credential={credential} />}
              <RowAction label={words.replaceOf(credential.name)} onClick={() => setEdited({ credential })}>
                {words.replace}
              </RowAction>
              <RowAction label={words.deleteTitle(credential.name)} onClick={() => remove(credential)}>
                {commonWords.delete}
              </RowAction>
            </>
          )),
        ]}
        empty={
          <Empty icon={IconLock} title={words.empty} action={create}>
            {words.emptyHint}
          </Empty>
        }
      />
      {edited && <CredentialForm {...edited} close={() => setEdited(undefined)} />}
    </Frame>
  );
};
