import { Center, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** While the first things are asked for. */
export const Waiting = () => {
  const { t } = useTranslation('shell');
  return (
    <Center mih="60vh">
      <Loader aria-label={t('loading')} role="status" />
    </Center>
  );
};
