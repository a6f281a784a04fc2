import { afterEach, expect, test } from 'vitest';
import { startApi, type ApiOptions, type TestApi } from '../helpers/api.ts';

let api: TestApi | undefined;
afterEach(() => api?.stop());

const start = async (options?: ApiOptions): Promise<TestApi> => (api = await startApi(options));

test('live says that this process answers, ready that everything it stands on does', async () => {
  const { request } = await start();
  expect(await request('GET', '/health/live')).toMatchObject({ status: 200, body: { status: 'up' } });
  expect(await request('GET', '/health/ready')).toMatchObject({
    status: 200,
    body: { status: 'up', postgres: 'up', temporal: 'up', worker: 'up' },
  });
});

test.for(['postgres', 'temporal', 'worker'] as const)(
  'ready is 503 and names %s when it is down; live stays',
  async (part) => {
    const { request } = await start({ health: { postgres: 'up', temporal: 'up', worker: 'up', [part]: 'down' } });
    expect(await request('GET', '/health/ready')).toMatchObject({
      status: 503,
      body: { status: 'down', [part]: 'down', error: { code: 'unavailable', message: `Down: ${part}.` } },
    });
    expect(await request('GET', '/health/live')).toMatchObject({ status: 200 });
  },
);

type Operation = { security?: object[]; responses: Record<string, { content?: object }>; requestBody?: object };
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, object>>;
};

const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Every operation of a document as `METHOD /path`. */
const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((name) => methods.has(name))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );

test('/openapi.json lists what is served: each of its operations is there, behind the credential that it names', async () => {
  const { request } = await start();
  const { status, body } = await request<Document>('GET', '/openapi.json');
  expect(status).toBe(200);
  expect(body.openapi).toBe('3.1.1');
  const listed = operationsOf(body);
  expect(listed).toEqual(
    expect.arrayContaining([
      'GET /api/accounts/me',
      'POST /v1/webhooks',
      'POST /v1/contacts',
      'PATCH /v1/contacts/{id}',
      'POST /v1/channels/{id}/inbound',
      'POST /dashboard/api/session',
      'GET /dashboard/api/deliveries/{id}',
    ]),
  );
  for (const operation of listed) {
    const [method = '', path = ''] = operation.split(' ');
    // Signing in and out are open to everybody.
    if (path === '/dashboard/api/session') continue;
    const answer = await request(method, path.replace('{id}', 'x'), { headers: { origin: api?.url ?? '' } });
    expect([operation, answer.status]).toEqual([operation, 401]);
  }
});

test('/openapi.json is whole: every reference leads somewhere, and the request of each write is described', async () => {
  const { request } = await start();
  const { body, text } = await request<Document>('GET', '/openapi.json');
  const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
  expect(references.length).toBeGreaterThan(20);
  for (const [, kind = '', name = ''] of references) expect(body.components[kind]).toHaveProperty(name);
  expect(body.paths['/v1/contacts']?.['post']).toMatchObject({
    security: [{ bearer: [] }],
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/NewContact' } } } },
    responses: { 201: { content: {} }, default: { content: {} } },
  });
  expect(body.components['schemas']?.['NewContact']).toMatchObject({ additionalProperties: false });
});
