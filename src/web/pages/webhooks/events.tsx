import { Code, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** What a webhook subscribes to. */
export const Events = ({ names }: { names: readonly string[] }) => {
  const { t } = useTranslation('webhooks');
  if (names.includes('*')) return <Text size="sm">{t('allEvents')}</Text>;
  return (
    <Group gap={4}>
      {names.map((name) => (
        <Code key={name}>{name}</Code>
      ))}
    </Group>
  );
};
