import type { Schemas } from '../api/client.ts';
import { useContact } from '../api/contact-names.ts';
import { To } from './to.tsx';

type Contact = Schemas['Contact'];

const nameOf = ({ first_name, last_name, email, phone, external_id }: Contact): string | null =>
  [first_name, last_name].filter(Boolean).join(' ') || (email ?? phone ?? external_id);

/** A contact's name, or what else is known of it. */
export const sayContact = (contact: Contact): string => nameOf(contact) ?? contact.id;

/** The contact of this id, by its name, as a link to its page. An id is told in short, so that it leaves room in a row. */
export const ContactLink = ({ id }: { id: string }) => {
  const contact = useContact(id);
  return <To to={`/contacts/${id}`}>{(contact && nameOf(contact)) ?? <code>{`con_…${id.slice(-6)}`}</code>}</To>;
};
