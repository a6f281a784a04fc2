import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { exampleFlow } from '../../src/shared/flows/example.ts';
import { inTime } from './in-time.ts';
import { withId, type Requests } from './requests.ts';
import type { Setting } from './setting.ts';

/**
 * The second part of the story: a flow that a keyword starts. It asks the contact, calls the shop's API, and answers. Rejects when a message to
 * the contact or the event at its end was not verified in time.
 */
export const tellFlow = async (
  { parley: { apiUrl, uiUrl }, receiver, say }: Setting,
  requests: Requests,
  headers: Record<string, string>,
): Promise<void> => {
  const post = async (path: string, body: object) =>
    (await requests.send({ url: `${apiUrl}/v1${path}`, headers, body }, withId)).body.id;

  say(
    '\n7. Messages to contacts go to the address of their channel, signed as well; when a flow ends, this webhook hears of it',
  );
  const appSecret = randomBytes(24).toString('base64url');
  const app = receiver.addEndpoint({ name: 'our app', path: '/to-contacts', secret: appSecret });
  const channel = { type: 'api', name: 'Our shop', callback_url: app.url, secret: appSecret };
  const inbound = `/channels/${await post('/channels', channel)}/inbound`;
  const hookSecret = randomBytes(24).toString('base64url');
  const hook = receiver.addEndpoint({ name: 'end of a flow', path: '/flow-completed', secret: hookSecret });
  await post('/webhooks', { url: hook.url, events: ['flow_completed'], secret: hookSecret });

  say('\n8. A flow: it asks for a size, asks the API of the shop how many are left, and tells the contact');
  const shop = receiver.addService({ name: "the shop's API", path: '/stock/M', answer: { items: [{ left: 3 }] } });
  await post('/custom-fields', { key: 'size', name: 'Size', type: 'text' });
  await post('/custom-fields', { key: 'left', name: 'Left', type: 'number' });
  const flow = await post('/flows', { name: 'Shirts', definition: exampleFlow(shop.url.replace(/\/stock\/M$/, '')) });
  await post(`/flows/${flow}/publish`, {});

  say('\n9. A contact starts it by a keyword, and answers its question');
  const write = async (text: string) => {
    const message = { message_id: `shop-${text}`, sender: { external_id: 'ada', first_name: 'Ada' }, text };
    const url = `${apiUrl}/v1${inbound}`;
    return (await requests.send({ url, headers, body: message }, z.object({ message: withId }))).body.message.id;
  };
  const started = await write('shirt');
  await inTime(app.next(), 'the question was not sent');
  const { body: routed } = await requests.send(
    { url: `${apiUrl}/v1/messages/${started}`, headers },
    z.object({ routed_to: z.object({ run_id: z.string() }) }),
  );
  const run = routed.routed_to.run_id;
  await write('M');
  await inTime(Promise.all([app.next(), hook.next()]), 'the flow did not come to its end');

  say('\n10. Every contact on its way through a flow is a workflow, too');
  say(`   ${uiUrl}/namespaces/default/workflows/${encodeURIComponent(`run/${run}`)}`);
};
