import { Anchor, Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useRouteError } from 'react-router';
import { Empty } from '../parts/empty.tsx';

/** For a path that has no page. */
export const NoPage = () => {
  const { t } = useTranslation('shell');
  return (
    <Empty title={t('noPage')}>
      <Anchor component={Link} to="/">
        {t('toOverview')}
      </Anchor>
    </Empty>
  );
};

/** For a page that broke. Everything that was saved is saved. */
export const BrokenPage = () => {
  const { t } = useTranslation('shell');
  const error = useRouteError();
  return (
    <Empty title={t('broken')} action={<Button onClick={() => location.reload()}>{t('reload')}</Button>}>
      {error instanceof Error ? error.message : null}
    </Empty>
  );
};
