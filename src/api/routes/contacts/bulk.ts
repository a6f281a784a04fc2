import { z } from 'zod';
import { idOf } from '../../../shared/codec.ts';
import { exampleId } from '../../../shared/ids.ts';
import { enrollContact } from '../../../shared/runs/life/enroll.ts';
import { removeTag } from '../../../shared/tags/apply.ts';
import { putTag } from '../../../shared/tags/manage.ts';
import { tagName } from '../../../shared/tags/schema.ts';
import { addBulk, idsOf } from '../../bulk.ts';
import type { ApiDeps } from '../../http.ts';
import type { Resource } from '../../resource.ts';

/** What is done to many contacts at once. */
export const addBulkOfContacts = (contacts: Resource, deps: ApiDeps): void => {
  addBulk(contacts, deps, {
    id: 'tagContacts',
    path: '/bulk/contacts/tag',
    summary: 'Tag up to 100 contacts',
    description: 'Sends tag_applied for each that did not have it. Creates a missing tag.',
    role: 'agent',
    noun: 'contact',
    body: z
      .strictObject({ ids: idsOf('contact'), tag: tagName })
      .meta({ id: 'TagContacts', example: { ids: [exampleId('contact')], tag: 'vip' } }),
    change: async (tx, { accountId, id: contactId, body: { tag: name } }) =>
      (await putTag(tx, { accountId, contactId, name })).isNew,
  });
  addBulk(contacts, deps, {
    id: 'untagContacts',
    path: '/bulk/contacts/untag',
    summary: 'Remove a tag from up to 100 contacts',
    role: 'agent',
    noun: 'contact',
    body: z
      .strictObject({ ids: idsOf('contact'), tag: tagName })
      .meta({ id: 'UntagContacts', example: { ids: [exampleId('contact')], tag: 'vip' } }),
    change: (tx, { accountId, id: contactId, body: { tag: name } }) => removeTag(tx, { accountId, contactId, name }),
  });
  addBulk(contacts, deps, {
    id: 'enrollContacts',
    path: '/bulk/contacts/enroll',
    summary: 'Enroll up to 100 contacts in a flow',
    description: 'Refuses contacts that are already in the flow.',
    role: 'editor',
    noun: 'contact',
    body: z
      .strictObject({ ids: idsOf('contact'), flow_id: idOf('flow', 'a flow') })
      .meta({ id: 'EnrollContacts', example: { ids: [exampleId('contact')], flow_id: exampleId('flow') } }),
    change: async (tx, { accountId, id: contactId, body: { flow_id: flowId } }) => {
      await enrollContact(tx, { accountId, contactId, flowId, params: {} });
      return true;
    },
  });
};
