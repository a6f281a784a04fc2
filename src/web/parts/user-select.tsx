import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSignedIn } from '../shell/session-context.ts';
import { conversationWords } from '../words/conversations.ts';
import { useUsers } from './use-users.ts';

/** What stands for nobody, as the API's filters have it. */
export const nobody = 'none';

type Props = {
  label: string;
  /** A user's id, `nobody`, or undefined for no choice. */
  value: string | undefined;
  /** Gets null where the choice is taken away. */
  onChange: (value: string | null) => void;
  /** Shown while nothing is chosen; without it something always is. */
  placeholder?: string;
  /** What is wrong with the choice. */
  error?: ReactNode;
};

/** Chooses one of the account's users, or nobody; the one who looks at the page comes first. */
export const UserSelect = ({ label, value, onChange, placeholder, error }: Props) => {
  const { user: me } = useSignedIn();
  const { users, sayUser } = useUsers();
  const options = new Map<string, string>([
    [nobody, conversationWords.nobody],
    [me.id, conversationWords.me],
  ]);
  for (const user of users) if (user.id !== me.id) options.set(user.id, sayUser(user.id));
  if (value !== undefined && !options.has(value)) options.set(value, sayUser(value));
  return (
    <Select
      label={label}
      data={[...options].map(([id, name]) => ({ value: id, label: name }))}
      value={value ?? null}
      onChange={onChange}
      searchable
      openOnFocus={false}
      error={error}
      {...(placeholder === undefined ? { allowDeselect: false } : { placeholder, clearable: true })}
    />
  );
};
