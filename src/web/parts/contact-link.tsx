import type { Schemas } from '../api/client.ts';
import { useContact } from '../api/contact-names.ts';
import { To } from './to.tsx';

type Contact = Schemas['Contact'];

const nameOf = ({ first_name, last_name, email, phone, external_id }: Contact): string | null =>
  [first_name, last_name].filter(Boolean).join(' ') || (email ?? phone ?? external_id);

/** A contact's name, or what else is known of it. */
export const sayContact = (contact: Contact): string => nameOf(contact) ?? contact.id;

/** The name of the contact of this id. An id is told in short, so that it leaves room in a row. */
export const ContactName = ({ id }: { id: string }) => {
  const contact = useContact(id);
  return (contact && nameOf(contact)) ?? <code>{`con_…${id.slice(-6)}`}</code>;
};

/** The same as a link to the contact's page. */
export const ContactLink = ({ id }: { id: string }) => (
  <To to={`/contacts/${id}`}>
    <ContactName id={id} />
  </To>
);
