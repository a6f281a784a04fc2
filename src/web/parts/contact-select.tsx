import { Select } from '@mantine/core';
import { api } from '../api/client.ts';
import { deliveryWords } from '../words/deliveries.ts';
import { sayContact } from './contact-link.tsx';
import { useList } from './use-list.ts';
import { useServerSearch } from './use-server-search.ts';

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
  const { search, isBehind, isOpen, props } = useServerSearch();
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
      {...props}
      label={deliveryWords.contact}
      placeholder={isOpen ? deliveryWords.contactHint : (placeholder ?? deliveryWords.anyContact)}
      data={[...options].map(([id, label]) => ({ value: id, label }))}
      nothingFoundMessage={found.rows && !isBehind ? deliveryWords.noContactFound : undefined}
      value={value ?? null}
      onChange={onChange}
    />
  );
};
