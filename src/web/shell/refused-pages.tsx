import { Anchor, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useRouteError } from 'react-router';
import { Page } from '../parts/page.tsx';

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
  const { t } = useTranslation('shell');
  const error = useRouteError();
  return (
    <Page title={t('broken')} actions={<Button onClick={() => location.reload()}>{t('reload')}</Button>}>
      {error instanceof Error && <Text c="dimmed">{error.message}</Text>}
    </Page>
  );
};
