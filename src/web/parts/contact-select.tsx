import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { deliveryWords } from '../words/deliveries.ts';
import { sayContact } from './contact-link.tsx';
import { useList } from './use-list.ts';

type Props = {
  value: string | undefined;
  onChange: (id: string | null) => void;
  /** What it says while nobody is chosen; that it is all contacts when not given. */
  placeholder?: string;
};

/** As many as are offered at once. */
const offered = 20;

/** Chooses one contact, found by how its name, e-mail or phone begins. `value` is its id. */
export const ContactSelect = ({ value, onChange, placeholder }: Props) => {
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [search] = useDebouncedValue(typed.trim(), 250);
  const found = useList('/contacts', { query: search ? { search } : {}, limit: offered, isEnabled: isOpen });
  const chosen = api.useQuery(
    'get',
    '/contacts/{id}',
    { params: { path: { id: value ?? '' } } },
    { enabled: value !== undefined, staleTime: 60_000 },
  );
  const options = new Map((found.rows ?? []).map((contact) => [contact.id, sayContact(contact)]));
  if (value !== undefined) options.set(value, chosen.data ? sayContact(chosen.data) : value);
  return (
    <Select
      label={deliveryWords.contact}
      placeholder={isOpen ? deliveryWords.contactHint : (placeholder ?? deliveryWords.anyContact)}
      data={[...options].map(([id, label]) => ({ value: id, label }))}
      // The server has searched already, also in what is not shown.
      filter={({ options: all }) => all}
      nothingFoundMessage={found.rows && typed.trim() === search ? deliveryWords.noContactFound : undefined}
      value={value ?? null}
      onChange={onChange}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      searchable
      clearable
    />
  );
};
