import { newUuid, readId, showId } from '../../../src/shared/ids.ts';
import type { LiveApi } from '../live-world.ts';
import { aCaller, countEach, type Adversary, type Load } from './adversary.ts';

/** Requests on one contact; `contactId` is its UUID. */
type OnOneContact = Adversary & {
  contactId: string;
  /** Sends so many at once, in turn of each kind that locks the contact. */
  start: () => void;
};

/** Will send requests that all lock one contact: changes of its fields and tags, messages of its own, and enrollments. */
export const requestsOnOneContact = async (live: LiveApi, { atOnce }: Load): Promise<OnOneContact> => {
  const { api } = live;
  const { account, contactId, flow } = await aCaller(live);
  const { apiKey: key } = account;
  const channel = await api.request<{ id: string }>('POST', '/v1/channels', {
    key,
    body: { name: 'Shop', type: 'api' },
  });
  const external = newUuid();
  await api.request('PATCH', `/v1/contacts/${contactId}`, { key, body: { external_id: external } });
  const flowId = showId('flow', await flow('allow'));
  const contact = `/v1/contacts/${contactId}`;
  const say = () => ({ message_id: newUuid(), sender: { external_id: external }, text: 'hello' });
  const kinds = [
    () => api.request('PATCH', contact, { key, body: { first_name: newUuid() } }),
    () => api.request('PUT', `${contact}/tags/vip`, { key }),
    () => api.request('POST', `/v1/channels/${channel.body.id}/inbound`, { key, body: say() }),
    () => api.request('POST', `${contact}/flows`, { key, body: { flow_id: flowId } }),
  ];
  const sent: Promise<{ status: number }>[] = [];
  return {
    account,
    contactId: readId('contact', contactId),
    start: () => {
      for (let count = 0; count < atOnce; count += 1) {
        const send = kinds[count % kinds.length];
        if (send) sent.push(send());
      }
    },
    stop: async () => countEach((await Promise.all(sent)).map(({ status }) => status)),
  };
};
