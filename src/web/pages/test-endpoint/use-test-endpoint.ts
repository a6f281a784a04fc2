import { api, client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { useWebhooks } from '../../parts/use-webhooks.ts';

/** How often what came is asked for, in ms. It is in the memory of the server, and no hint tells of it. */
const everyMs = 1_000;

/** The account's address, what it answers, and the webhook that has it. */
export const useTestEndpoint = () => {
  const { data: endpoint, error, refetch } = api.useQuery('get', '/test-endpoint');
  const { list, isKnown } = useWebhooks();
  const webhook = endpoint && list.find(({ url }) => url.startsWith(endpoint.url));
  return { endpoint, webhook, isKnown: endpoint !== undefined && isKnown, error, retry: () => void refetch() };
};

/** What came, newest first, as it comes. */
export const useTestRequests = () => api.useQuery('get', '/test-endpoint/requests', {}, { refetchInterval: everyMs });

/** Makes a webhook that sends all events there. */
export const createTestWebhook = async (
  endpoint: Schemas['TestEndpoint'],
): Promise<Schemas['DashboardWebhook'] | undefined> => {
  const { data } = await client.POST('/webhooks', { body: { url: endpoint.url, events: ['*'] } });
  await invalidate('/webhooks', '/overview', '/test-endpoint');
  return data;
};
