import { z } from 'zod';
import { declareEvent } from './fact.ts';

export const newContact = declareEvent({
  name: 'new_contact',
  meaning: 'A new contact is created',
  details:
    'The API creates it, or its first message. The body has only the contact. `channel` is the one that the contact wrote on, or `api` when the API created the contact.',
  since: '0.1',
  variants: ['api', 'dashboard'],
  data: z.object({}),
  sample: () => ({}),
  happened: 'Became a contact',
  topics: [],
});
