import type { Schemas } from '../api/client.ts';
import { useContact } from '../api/contact-names.ts';
import { Avatar } from './avatar.tsx';
import { To } from './to.tsx';

type Contact = Schemas['Contact'];

const nameOf = ({ first_name, last_name, email, phone, external_id }: Contact): string | null =>
  [first_name, last_name].filter(Boolean).join(' ') || (email ?? phone ?? external_id);

/** A visitor of a webchat has no name until the site tells one; the end of the id tells visitors from each other. */
const sayNameless = (id: string): string => `Visitor ${id.slice(-4)}`;

/** A contact's name, or what else is known of it. */
export const sayContact = (contact: Contact): string => nameOf(contact) ?? sayNameless(contact.id);

/** The name of the contact of this id, with the avatar. Until the contact is read, a shortened id stands there. */
export const ContactName = ({ id }: { id: string }) => {
  const contact = useContact(id);
  const name = contact && sayContact(contact);
  return (
    <span className="with-mark">
      <Avatar id={id} name={name ?? undefined} />
      <span>{name ?? <code>{`con_…${id.slice(-6)}`}</code>}</span>
    </span>
  );
};

/** The same as a link to the contact's page. */
export const ContactLink = ({ id }: { id: string }) => (
  <To to={`/contacts/${id}`}>
    <ContactName id={id} />
  </To>
);
