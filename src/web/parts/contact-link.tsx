import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../api/client.ts';
import { findContactTogether } from '../api/contacts-together.ts';
import { To } from './to.tsx';

/** A contact's name, or what else is known of it. */
export const sayContact = ({ first_name, last_name, email, phone, external_id, id }: Schemas['Contact']): string =>
  [first_name, last_name].filter(Boolean).join(' ') || (email ?? phone ?? external_id ?? id);

/** How long a name is shown without asking again, in ms. Names hardly change, and lists show many. */
const staleMs = 300_000;

/** The contact of this id, by its name, as a link to its page. */
export const ContactLink = ({ id }: { id: string }) => {
  // Its key is no path of the API: a hint that some contact has changed does not ask for every name of a list again.
  const { data } = useQuery({
    queryKey: ['contact-name', id],
    queryFn: async () => findContactTogether(id),
    staleTime: staleMs,
  });
  return <To to={`/contacts/${id}`}>{data ? sayContact(data) : <code>{`…${id.slice(-6)}`}</code>}</To>;
};
