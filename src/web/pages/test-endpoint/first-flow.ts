import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { writeAsContact } from '../../parts/write-as-contact.ts';
import { words } from './words.ts';

/** The custom field that the first flow writes. */
export const mappedField = 'order_status';

/** A contact writes "order", the flow asks the test endpoint, and maps a field of its JSON. */
const fileOf = (url: string): Schemas['FlowFile'] => ({
  parley_flow: 1,
  name: words.steps.flowName,
  definition: {
    schema_version: 1,
    start: 'look_up',
    triggers: [{ type: 'keyword', match: 'exact', words: [words.steps.order] }],
    blocks: [
      {
        id: 'look_up',
        type: 'external_request',
        method: 'GET',
        url: `${url}/order`,
        mapping: [{ path: '$.order.status', field: mappedField, on_missing: 'error' }],
        next: { error: 'sorry', timeout: 'sorry' },
      },
      {
        id: 'reply',
        type: 'send',
        messages: [{ text: words.steps.reply(`{{${mappedField}}}`) }],
        next: { default: 'done' },
      },
      { id: 'sorry', type: 'send', messages: [{ text: words.steps.sorry }] },
      { id: 'done', type: 'end' },
    ],
  },
  needs: {
    fields: [{ key: mappedField, name: words.steps.field, type: 'text' }],
    tags: [],
    credentials: [],
    flows: [],
  },
  left_out: [],
});

/** Makes the flow live. */
export const createFirstFlow = async (url: string): Promise<void> => {
  const { data } = await client.POST('/flows/import', { body: fileOf(url) });
  if (data) await client.POST('/flows/{id}/publish', { params: { path: { id: data.flow.id } } });
  await invalidate('/flows', '/triggers', '/custom-fields');
};

/** Hands in a message of a new contact, as the account's server would. */
export const sendAsAda = (text: string): Promise<unknown> =>
  writeAsContact({ externalId: words.steps.sender, firstName: words.steps.senderName, text });
