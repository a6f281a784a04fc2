import { afterEach, expect, test } from 'vitest';
import { eventNames } from '../../src/shared/facts/names.ts';
import { events } from '../../src/shared/facts/facts.ts';
import { showId } from '../../src/shared/ids.ts';
import { startApi, type ApiOptions, type TestApi } from '../helpers/api.ts';

let api: TestApi | undefined;
afterEach(() => api?.stop());

const start = async (options?: ApiOptions): Promise<TestApi> => (api = await startApi(options));

test('live says that this process answers, ready that everything it stands on does', async () => {
  const { request, deps } = await start();
  expect(await request('GET', '/health/live')).toMatchObject({ status: 200, body: { status: 'up' } });
  expect(await request('GET', '/health/ready')).toMatchObject({
    status: 200,
    body: {
      status: 'up',
      process: showId('process', deps.processId),
      postgres: 'up',
      temporal: 'up',
      worker: 'up',
      starts: 'up',
    },
  });
});

test.for(['postgres', 'temporal', 'worker', 'starts'] as const)(
  'ready is 503 and names %s when it is down; live stays',
  async (part) => {
    const { request } = await start({
      health: { postgres: 'up', temporal: 'up', worker: 'up', starts: 'up', [part]: 'down' },
    });
    expect(await request('GET', '/health/ready')).toMatchObject({
      status: 503,
      body: { status: 'down', [part]: 'down', error: { code: 'unavailable', message: `Down: ${part}.` } },
    });
    expect(await request('GET', '/health/live')).toMatchObject({ status: 200 });
  },
);

type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  security?: object[];
  parameters?: { name: string; in: string; schema: object }[];
  responses: Record<string, { content?: object }>;
  requestBody?: { content: Record<string, { schema: object; examples?: object }> };
};
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, object>>;
  tags: { name: string; description: string }[];
  webhooks: Record<string, Record<string, Operation>>;
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
    if (body.paths[path]?.[method.toLowerCase()]?.security?.length === 0) continue;
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
    responses: { 201: { content: {} }, 422: { $ref: '#/components/responses/Invalid' } },
  });
  expect(body.components['schemas']?.['NewContact']).toMatchObject({ additionalProperties: false });
});

type Schema = { [key: string]: unknown };

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** Where a schema takes lists, texts or objects of any size. */
const findUnbounded = (schema: unknown, at: string, components: Record<string, object>): string[] => {
  if (!isSchema(schema)) return [];
  const { $ref, type, enum: values, const: only, properties, items, additionalProperties, propertyNames } = schema;
  const name = typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
  if (name !== undefined) return findUnbounded(components[name], at, components);
  const parts = [schema['anyOf'], schema['oneOf'], schema['allOf']].filter(Array.isArray).flat();
  const isText = type === 'string' && values === undefined && only === undefined;
  return [
    ...(isText && typeof schema['maxLength'] !== 'number' ? [`${at}: a text`] : []),
    ...(type === 'array' && typeof schema['maxItems'] !== 'number' ? [`${at}: a list`] : []),
    ...(isSchema(additionalProperties) && typeof schema['maxProperties'] !== 'number' ? [`${at}: a record`] : []),
    ...(type === 'object' && additionalProperties === undefined && parts.length === 0
      ? [`${at}: an object that takes unknown fields`]
      : []),
    ...Object.entries(isSchema(properties) ? properties : {}).flatMap(([key, value]) =>
      findUnbounded(value, `${at}.${key}`, components),
    ),
    ...[items, additionalProperties, propertyNames, ...parts].flatMap((part) =>
      findUnbounded(part, `${at}[]`, components),
    ),
  ];
};

/** Every operation that is served, with its method. */
const servedOperations = ({ paths }: Document) =>
  Object.values(paths).flatMap((item) =>
    Object.entries(item).flatMap(([method, operation]) => (methods.has(method) ? [{ method, ...operation }] : [])),
  );

test('every operation has a name of its own, a summary and a tag that the document describes', async () => {
  const { request } = await start();
  const { body } = await request<Document>('GET', '/openapi.json');
  const operations = [
    ...servedOperations(body),
    ...Object.values(body.webhooks).flatMap((item) => Object.values(item)),
  ];
  const names = operations.map(({ operationId }) => operationId);
  expect(names.filter((name) => !/^[a-z][a-zA-Z]+$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(operations.length);
  expect(names).toEqual(
    expect.arrayContaining(['createWebhook', 'dashboardCreateWebhook', 'receiveMessage', 'onNewMessage']),
  );
  const described = new Set(body.tags.filter(({ description }) => description !== '').map(({ name }) => name));
  expect(operations.filter(({ tags }) => tags.length !== 1 || !tags.every((tag) => described.has(tag)))).toEqual([]);
  expect(operations.filter(({ summary }) => summary.length < 5)).toEqual([]);
});

test('Idempotency-Key is advertised for every POST but those that do no harm when repeated', async () => {
  const { request } = await start();
  const { body } = await request<Document>('GET', '/openapi.json');
  const without = servedOperations(body).filter(
    ({ method, parameters = [] }) => method === 'post' && !parameters.some(({ name }) => name === 'Idempotency-Key'),
  );
  expect(new Set(without.map(({ operationId }) => operationId))).toEqual(
    new Set([
      'cancelRuns',
      'checkSignature',
      'dashboardAcceptInvitation',
      'dashboardCancelRuns',
      'dashboardCheckSignature',
      'dashboardCreateInvitationLink',
      'dashboardPreviewInvitation',
      'dashboardPreviewReEnabling',
      'dashboardPreviewReplay',
      'dashboardPreviewRetry',
      'dashboardRenderCannedReply',
      'dashboardRequestPasswordReset',
      'dashboardRetryCredential',
      'dashboardRetryRuns',
      'dashboardRunFlowScenario',
      'dashboardSignIn',
      'dashboardSignInByLink',
      'dashboardSimulateFlow',
      'dashboardTestFlowRequest',
      'dashboardUploadMedia',
      'dashboardValidateFlow',
      'previewReEnabling',
      'previewReplay',
      'previewRetry',
      'renderCannedReply',
      'retryCredential',
      'retryRuns',
      'runFlowScenario',
      'simulateFlow',
      'testFlowRequest',
      'uploadMedia',
      'validateFlow',
    ]),
  );
});

test('every event is in the document, with the bodies of its variants and the headers that verify them', async () => {
  const { request } = await start();
  const { body } = await request<Document>('GET', '/openapi.json');
  expect(Object.keys(body.webhooks)).toEqual([...eventNames, 'message', 'challenge']);
  const examples = eventNames.map(
    (name) => body.webhooks[name]?.['post']?.requestBody?.content['application/json']?.examples,
  );
  expect(examples.map((given) => Object.keys(given ?? {}))).toEqual(events.map(({ variants }) => variants));
  expect(body.webhooks['new_message']?.['post']?.parameters?.map(({ name }) => name)).toEqual([
    'X-Service-Signature',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
});

test('everything that a request may hold has a largest size: lists, texts and records of bodies and queries', async () => {
  const { request } = await start();
  const { body } = await request<Document>('GET', '/openapi.json');
  const components = body.components['schemas'] ?? {};
  const bodies = Object.entries(body.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { requestBody, parameters = [] }]) => [
      { at: `${method} ${path}`, schema: requestBody?.content['application/json']?.schema },
      ...parameters
        .filter(({ in: place }) => place === 'query')
        .map(({ name, schema }) => ({ at: `${method} ${path}?${name}`, schema })),
    ]),
  );
  expect(bodies.filter(({ schema }) => schema).length).toBeGreaterThan(30);
  expect(bodies.flatMap(({ at, schema }) => findUnbounded(schema, at, components))).toEqual([]);
});

test("the page's examples have ids of the right form, and no number that only JavaScript bounds", async () => {
  const { request } = await start();
  const { body, text } = await request<Document>('GET', '/openapi.json');
  expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
  for (const [name, prefix] of Object.entries({
    Run: 'run',
    Credential: 'cred',
    ExternalRequest: 'req',
    Webhook: 'wh',
  })) {
    const id = { type: 'string', example: expect.stringMatching(new RegExp(`^${prefix}_\\w{26}$`)) };
    expect(body.components['schemas']?.[name]).toMatchObject({ properties: { id } });
  }
  expect(body.components['schemas']?.['RunsToChange']).toMatchObject({
    properties: { flow_id: { example: expect.stringMatching(/^flow_/) } },
  });
});
