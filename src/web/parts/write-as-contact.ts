import { client, type Schemas } from '../api/client.ts';
import { invalidate } from '../api/query-client.ts';
import { messageWords } from '../words/messages.ts';
import { newRandomId } from './random-id.ts';

/** As many channels are looked at. */
const most = 200;

/** A channel of type api, best one that sends nothing to a server; made where there is none. */
const ensureChannel = async (): Promise<string | undefined> => {
  const { data: listed } = await client.GET('/channels', { params: { query: { limit: most } } });
  const ofApi = listed?.data.filter((channel) => channel.type === 'api') ?? [];
  const found = ofApi.find(({ callback_url }) => callback_url === null) ?? ofApi[0];
  if (found) return found.id;
  const { data: made } = await client.POST('/channels', { body: { type: 'api', name: messageWords.testChannel } });
  return made?.id;
};

type Written = { externalId: string; firstName: string; text: string };

/** Hands in a message of a contact as the account's server would. The contact is created by its first one. */
export const writeAsContact = async ({
  externalId,
  firstName,
  text,
}: Written): Promise<Schemas['InboundAnswer'] | undefined> => {
  const id = await ensureChannel();
  if (id === undefined) return undefined;
  const { data } = await client.POST('/channels/{id}/inbound', {
    params: { path: { id } },
    body: {
      message_id: `dashboard-${newRandomId()}`,
      sender: { external_id: externalId, first_name: firstName },
      text,
    },
  });
  await invalidate('/channels', '/contacts', '/conversations', '/events', '/deliveries', '/overview', '/test-endpoint');
  return data && 'contact_id' in data ? data : undefined;
};
