import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
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

/** The account's first channel, made where there is none. */
const ensureChannel = async (): Promise<string | undefined> => {
  const { data: listed } = await client.GET('/channels', { params: { query: { limit: 1 } } });
  const [first] = listed?.data ?? [];
  if (first) return first.id;
  const { data: made } = await client.POST('/channels', { body: { type: 'api', name: words.steps.channel } });
  return made?.id;
};

/** Hands in a message as the account's server would. */
export const sendAsAda = async (text: string): Promise<void> => {
  const id = await ensureChannel();
  if (id === undefined) return;
  await client.POST('/channels/{id}/inbound', {
    params: { path: { id } },
    body: {
      message_id: `dashboard-${crypto.randomUUID()}`,
      sender: { external_id: words.steps.sender, first_name: words.steps.senderName },
      text,
    },
  });
  await invalidate('/channels', '/contacts', '/conversations', '/events', '/deliveries', '/overview', '/test-endpoint');
};
