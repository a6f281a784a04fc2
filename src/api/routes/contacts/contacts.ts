import { findContact } from '../../../shared/contacts/queries.ts';
import { contactBody, showContact } from '../../../shared/contacts/schema.ts';
import { found } from '../../../shared/errors.ts';
import { endpoint } from '../../endpoint.ts';
import { createResource, type Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';
import { addBulkOfContacts } from './bulk.ts';
import { addContactList } from './list.ts';
import { addTimeline } from './timeline.ts';
import { addContactWriting } from './write.ts';

/** The people that the account talks with. */
export const contactRoutes = (deps: ApiDeps): Resource => {
  const contacts = createResource(deps, {
    tag: { name: 'Contacts', description: 'Everyone the account exchanges messages with.' },
    doors: ['v1', 'dashboard'],
  });
  addContactWriting(contacts, deps);
  addContactList(contacts, deps);
  endpoint(
    contacts,
    {
      id: 'getContact',
      method: 'get',
      path: '/contacts/:id',
      summary: 'Read a contact',
      role: 'agent',
      noun: 'contact',
      answers: { 200: contactBody },
    },
    async ({ principal, id }) => showContact(found('contact', await findContact(deps.db, principal.accountId, id))),
  );
  addTimeline(contacts, deps);
  addBulkOfContacts(contacts, deps);
  return contacts;
};
