import { Group, Loader, Text } from '@mantine/core';
import { useEffect } from 'react';
import { client } from '../../api/client.ts';
import { enter } from '../../api/session.ts';
import { OpenPage } from './open-page.tsx';
import { words } from './words.ts';

type Props = { token: string; onFailure: (failure: unknown) => void };

/** Signs in by the token of a link, which is used up with that. */
export const ByLink = ({ token, onFailure }: Props) => {
  useEffect(() => {
    client
      .POST('/session/link', { body: { token } })
      .then(({ data }) => data && enter(data))
      .catch(onFailure);
  }, [token, onFailure]);
  return (
    <OpenPage title={words.title}>
      <Group gap="sm" role="status">
        <Loader size="sm" aria-hidden />
        <Text size="sm">{words.byLink}</Text>
      </Group>
    </OpenPage>
  );
};
