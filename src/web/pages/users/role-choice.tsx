import { Radio, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ascending, type Role } from '../../api/session.ts';

type Props = { value: Role; onChange: (role: Role) => void };

const isRole = (value: string): value is Role => ascending.some((role) => role === value);

/** A role, chosen by what it may do. */
export const RoleChoice = ({ value, onChange }: Props) => {
  const { t } = useTranslation(['users', 'shell']);
  return (
    <Radio.Group label={t('role')} value={value} onChange={(chosen) => isRole(chosen) && onChange(chosen)}>
      <Stack gap="xs" mt={6}>
        {ascending.map((role) => (
          <Radio key={role} value={role} label={t(`shell:roles.${role}`)} description={t(`may.${role}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
};
