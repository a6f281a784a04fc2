import { request as sendRequest } from 'undici';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createSecrets } from '../../src/shared/platform/secrets/seal.ts';
import { anAccount } from '../helpers/accounts.ts';
import type { TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { aDefinition } from '../helpers/definitions.ts';
import { aPicture } from '../helpers/files.ts';
import { startReceiver, type ReceivedRequest, type Receiver } from '../helpers/receiver.ts';
import { startServing, type ServingProcess } from '../helpers/serving-process.ts';
import { startDevServer, type DevServer } from '../helpers/temporal.ts';
import { aVisitor, aWebchat } from '../helpers/webchat/visitor.ts';

let database: TestDatabase;
let temporal: DevServer;
let receiver: Receiver;
let parley: ServingProcess;
let key: string;
let flow: string;

/** What the other service has downloaded by the link of each request. */
const downloaded: Buffer[] = [];

const linksOf = ({ path, headers, rawBody }: ReceivedRequest) => ({
  query: new URL(path, 'https://shop.example').searchParams.get('photo') ?? '',
  header: String(headers['x-photo']),
  body: JSON.parse(rawBody.toString()),
});

/** A service that reads the file before it answers. */
const respond = async (request: ReceivedRequest): Promise<number> => {
  const answer = await fetch(linksOf(request).body.url);
  downloaded.push(Buffer.from(await answer.arrayBuffer()));
  return answer.status;
};

const request: TestApi['request'] = async (method, path, { body, headers = {}, key: bearer } = {}) => {
  const answer = await sendRequest(`${parley.url}${path}`, {
    method,
    body: body === undefined ? null : Buffer.isBuffer(body) ? body : JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...headers,
    },
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text, body: JSON.parse(text) };
};

beforeAll(async () => {
  [database, temporal, receiver] = await Promise.all([
    createTestDatabase(),
    startDevServer(),
    startReceiver({ plain: true, respond }),
  ]);
  parley = await startServing({ database: database.target, temporal: temporal.address });
  ({ apiKey: key } = await anAccount({ db: database.db, secrets: createSecrets(parley.masterKey) }));
  await request('POST', '/v1/custom-fields', { key, body: { key: 'photo', name: 'Photo', type: 'text' } });
  const body =
    '{"url": "{{photo.url}}", "name": "{{photo.name}}", "type": "{{photo.content_type}}", "size": {{photo.size}}}';
  const definition = aDefinition(
    [
      { id: 'photo', type: 'ask', expects: 'image', prompt: 'A photo?', save_to: 'photo' },
      {
        id: 'claim',
        type: 'external_request',
        method: 'POST',
        url: `${receiver.url('/claims')}?photo={{photo.url}}`,
        headers: { 'X-Photo': '{{reply.attachment.url}}' },
        body,
      },
      { id: 'again', type: 'send', messages: [{ text: 'You sent {{photo.url}}', image_url: '{{photo.url}}' }] },
    ],
    { triggers: [{ type: 'keyword', words: ['broken'] }] },
  );
  const created = await request<{ id: string }>('POST', '/v1/flows', { key, body: { name: 'Claim', definition } });
  flow = created.body.id;
  await request('POST', `/v1/flows/${flow}/publish`, { key, body: {} });
});

afterAll(async () => {
  await parley.stop();
  await Promise.all([temporal.stop(), receiver.close(), database.drop()]);
});

test('a photo of a visitor goes to another service by a link, and comes again in a later message', async () => {
  const visitor = aVisitor({ request }, await aWebchat({ request }, { apiKey: key }));
  await visitor.say('broken');
  const asked = async () => (await visitor.read()).messages.some(({ text }) => text === 'A photo?');
  await vi.waitUntil(asked, { timeout: 30_000 });
  const photo = await aPicture();
  const { id } = (await visitor.upload(photo, encodeURIComponent('crack & dent.png'))).body;
  await visitor.say('', { attachments: [{ media_id: id }] });
  const last = async () => (await visitor.read()).messages.find(({ text }) => text.startsWith('You sent '));
  const again = await vi.waitUntil(last, { timeout: 30_000 });
  const [{ query, header, body } = expect.fail('no request came')] = receiver.requests.map(linksOf);
  expect(body).toEqual({ url: query, name: 'crack & dent.png', type: 'image/png', size: photo.length });
  expect(query).toContain(`${parley.url}/media/${id}/`);
  expect(header).toBe(query);
  expect(downloaded).toEqual([photo]);
  expect(again.text).toBe(`You sent ${query}`);
  // The message keeps the file, so that its picture outlives the link.
  expect(again).toMatchObject({ image_url: null, attachments: [{ id, type: 'image' }] });
  const [shown = expect.fail('no file')] = again.attachments.flatMap((one) => ('url' in one ? [one.url] : []));
  expect(Buffer.from(await (await fetch(shown)).arrayBuffer())).toEqual(photo);
});

test('a simulation with a file of the account has its link read by the real service', async () => {
  const photo = await aPicture('jpeg');
  const headers = { 'content-type': 'application/octet-stream' };
  const { id } = (await request<{ id: string }>('POST', '/v1/media?name=dent.jpg', { key, headers, body: photo })).body;
  const inputs = [{ text: 'broken' }, { attachments: [{ media_id: id }] }];
  const result = await request('POST', `/v1/flows/${flow}/simulate`, { key, body: { inputs, real: true } });
  expect(downloaded.at(-1)).toEqual(photo);
  expect(result.body).toMatchObject({
    status: 'completed',
    requests: [{ mocked: false, status_code: 200, port: 'success' }],
    fields: { photo: id },
  });
});
