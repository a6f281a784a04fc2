import { Group, Loader, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../api/client.ts';
import { enter } from '../../api/session.ts';
import { OpenPage } from './open-page.tsx';

type Props = { token: string; onFailure: (failure: unknown) => void };

/** Signs in by the token of a link, which is used up with that. */
export const ByLink = ({ token, onFailure }: Props) => {
  const { t } = useTranslation('session');
  useEffect(() => {
    client
      .POST('/session/link', { body: { token } })
      .then(({ data }) => data && enter(data))
      .catch(onFailure);
  }, [token, onFailure]);
  return (
    <OpenPage title={t('title')}>
      <Group gap="sm" role="status">
        <Loader size="sm" aria-hidden />
        <Text size="sm">{t('byLink')}</Text>
      </Group>
    </OpenPage>
  );
};
