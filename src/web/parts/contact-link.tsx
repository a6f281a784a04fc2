import type { Schemas } from '../api/client.ts';
import { useContact } from '../api/contact-names.ts';
import { To } from './to.tsx';

/** A contact's name, or what else is known of it. */
export const sayContact = ({ first_name, last_name, email, phone, external_id, id }: Schemas['Contact']): string =>
  [first_name, last_name].filter(Boolean).join(' ') || (email ?? phone ?? external_id ?? id);

/** The contact of this id, by its name, as a link to its page. */
export const ContactLink = ({ id }: { id: string }) => {
  const contact = useContact(id);
  return <To to={`/contacts/${id}`}>{contact ? sayContact(contact) : <code>{`…${id.slice(-6)}`}</code>}</To>;
};
