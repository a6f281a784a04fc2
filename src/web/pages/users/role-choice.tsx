import { Radio, Stack } from '@mantine/core';
import { ascending, type Role } from '../../api/session.ts';
import { commonWords } from '../../words/common.ts';
import { userWords } from '../../words/users.ts';
import { words } from './words.ts';

type Props = { value: Role; onChange: (role: Role) => void };

const isRole = (value: string): value is Role => ascending.some((role) => role === value);

/** A role, chosen by what it may do. */
export const RoleChoice = ({ value, onChange }: Props) => (
  <Radio.Group label={words.role} value={value} onChange={(chosen) => isRole(chosen) && onChange(chosen)}>
    <Stack gap="xs" mt={6}>
      {ascending.map((role) => (
        <Radio key={role} value={role} label={commonWords.roles[role]} description={userWords.may[role]} />
      ))}
    </Stack>
  </Radio.Group>
);
