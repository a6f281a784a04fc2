import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { eventNames, type EventName } from '../../shared/events/names.ts';

type Props = {
  value: EventName | undefined;
  /** Gets null where the choice is taken away. */
  onChange: (name: string | null) => void;
};

/** Chooses one event by its name, or all. */
export const EventSelect = ({ value, onChange }: Props) => {
  const { t } = useTranslation('deliveries');
  return (
    <Select
      label={t('event')}
      placeholder={t('allEvents')}
      data={[...eventNames]}
      value={value ?? null}
      onChange={onChange}
      clearable
    />
  );
};
