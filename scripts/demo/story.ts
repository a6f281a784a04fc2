import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Installation } from './installation.ts';
import type { VerifiedDelivery } from './receiver.ts';
import { tellFlow } from './flow.ts';
import { inTime } from './in-time.ts';
import { createRequests, withId, type Requests } from './requests.ts';
import type { Setting } from './setting.ts';

/**
 * Plays the demo over the public HTTP API: a webhook of each variant, an inbound message, two signed deliveries, and then a flow. Rejects when
 * something was not verified in time.
 */
export const tellStory = async (setting: Setting): Promise<void> => {
  const { parley, say } = setting;
  const { apiUrl, account } = parley;
  const requests = createRequests({ say });
  const bearer = { Authorization: `Bearer ${account.apiKey}` };

  say("\n2. Register a webhook by API (variant A); its secret is the caller's choice");
  requests.nameValue('KEY', account.apiKey);
  const apiWebhook = await addApiWebhook(setting, requests, bearer);

  say(
    '\n3. Add a webhook in the dashboard (variant B); its secret is made by Parley, and its endpoint must return a challenge',
  );
  const dashboardWebhook = await addDashboardWebhook(setting, requests);

  say('\n4. Create a channel, and hand in a message that a contact sent over it');
  const channel = { type: 'api', name: 'Our app' };
  const { body } = await requests.send({ url: `${apiUrl}/v1/channels`, headers: bearer, body: channel }, withId);
  const inbound = `${apiUrl}/v1/channels/${body.id}/inbound`;
  const message = {
    message_id: 'm-1',
    sender: { external_id: 'ada', first_name: 'Ada' },
    text: 'Hello, anybody there?',
  };
  await requests.send({ url: inbound, headers: bearer, body: message }, z.object({ message: withId }));

  say('\n5. The event goes out to both webhooks, signed; the receiver verifies');
  const deliveries = await inTime(
    Promise.all([apiWebhook.next(), dashboardWebhook.next()]),
    'not both deliveries were verified',
  );

  say('\n6. Every delivery is a workflow that you can look at');
  for (const { id } of deliveries) say(`   ${workflowUrl(parley, id)}`);
  await tellFlow(setting, requests, bearer);
  say('\nTwo webhooks and a flow, all signatures right: done.');
};

const addApiWebhook = async (
  { parley, receiver }: Setting,
  requests: Requests,
  headers: Record<string, string>,
): Promise<{ next: () => Promise<VerifiedDelivery> }> => {
  const secret = randomBytes(24).toString('base64url');
  const { url, next } = receiver.addEndpoint({ name: 'variant A', path: '/from-api', secret });
  await requests.send(
    { url: `${parley.apiUrl}/v1/webhooks`, headers, body: { url, events: ['new_message'], secret } },
    withId,
  );
  return { next };
};

const addDashboardWebhook = async (
  { parley: { baseUrl, account }, receiver, say }: Setting,
  requests: Requests,
): Promise<{ next: () => Promise<VerifiedDelivery> }> => {
  const dashboard = `${baseUrl}/dashboard/api`;
  const signIn = { email: account.email, password: account.password };
  const { headers } = await requests.send(
    { url: `${dashboard}/session`, headers: { Origin: baseUrl }, body: signIn },
    z.object({ user: withId }),
  );
  const [cookie = ''] = headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  requests.nameValue('COOKIE', cookie);
  const { body } = await requests.send(
    { url: `${dashboard}/webhook-secret`, headers: { Cookie: cookie } },
    z.object({ secret: z.string() }),
  );
  const { url, next } = receiver.addEndpoint({ name: 'variant B', path: '/from-dashboard', ...body });
  const { body: webhook } = await requests.send(
    {
      url: `${dashboard}/webhooks`,
      headers: { Origin: baseUrl, Cookie: cookie },
      body: { url, events: ['new_message'] },
    },
    z.object({ status: z.string() }),
  );
  if (webhook.status !== 'active') throw new Error('the challenge was not passed');
  say('   Active: the endpoint has returned the challenge.');
  return { next };
};

const workflowUrl = ({ uiUrl }: Installation, deliveryId: string): string =>
  `${uiUrl}/namespaces/default/workflows/${encodeURIComponent(`delivery/${deliveryId}`)}`;
