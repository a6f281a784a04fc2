import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { runStatuses } from './run-statuses.ts';

type Props = {
  value: (typeof runStatuses)[number] | undefined;
  /** Gets null where the choice is taken away. */
  onChange: (status: string | null) => void;
};

/** Chooses runs by their status, or all. */
export const RunStatusSelect = ({ value, onChange }: Props) => {
  const { t } = useTranslation(['runs', 'runStatus']);
  return (
    <Select
      label={t('status')}
      placeholder={t('anyStatus')}
      data={runStatuses.map((status) => ({ value: status, label: t(`runStatus:statuses.${status}`) }))}
      value={value ?? null}
      onChange={onChange}
      clearable
    />
  );
};
