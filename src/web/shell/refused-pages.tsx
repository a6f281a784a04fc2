import { Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useRouteError } from 'react-router';
import { Page } from '../parts/page.tsx';
import { reloadIfAnswered } from './reload-once.ts';

/** For a path that has no page. */
export const NoPage = () => {
  const { t } = useTranslation('shell');
  return (
    <Page title={t('noPage')}>
      <Anchor component={Link} to="/">
        {t('toOverview')}
      </Anchor>
    </Page>
  );
};

/** For a page that broke. Everything that was saved is saved. */
export const BrokenPage = () => {
  const { t } = useTranslation(['shell', 'failures']);
  const error = useRouteError();
  const [isAway, setAway] = useState(false);
  const reload = async (): Promise<void> => setAway(!(await reloadIfAnswered()));
  return (
    <Page title={t('broken')} actions={<Button onClick={() => void reload()}>{t('reload')}</Button>}>
      {isAway ? (
        <Text role="alert">
          {t('failures:away')}. {t('failures:awayHint')}
        </Text>
      ) : (
        error instanceof Error && <Text c="dimmed">{error.message}</Text>
      )}
    </Page>
  );
};
