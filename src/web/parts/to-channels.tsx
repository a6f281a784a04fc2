import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

/** Leads from a list that nothing has come into yet to where messages come from. */
export const ToChannels = () => {
  const { t } = useTranslation('shell');
  return (
    <Button variant="default" component={Link} to="/settings/channels">
      {t('toChannels')}
    </Button>
  );
};
