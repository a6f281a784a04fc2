import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { errorBody } from './middleware/errors.ts';
import { createWebhooks } from './openapi-webhooks.ts';
import { sessionCookieName } from './session-cookie.ts';

/** What operations are grouped by. */
const tags = {
  Account: 'The account that a key belongs to.',
  Webhooks: 'Registrations: where events go.',
  Deliveries: 'The delivery log: each event to each webhook, with every attempt.',
  Replays: 'Sending again, one delivery or many.',
  Contacts: 'The people that the account talks with.',
  Channels: 'Where contacts write, and the way in for their messages.',
  Session: 'Signing in and out, sessions and the password.',
  'Webhook secret': "What signs for the dashboard's webhooks.",
  'API keys': 'Keys of the account.',
} as const;

export type Tag = keyof typeof tags;

/** One operation of a router, declared beside its handler; see `endpoint` in http.ts. */
export type Operation = {
  /** Its name in clients that are made from the document: camelCase, unique behind its door, and never changed. */
  id: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Relative to the door, as the router writes it: `/contacts/:id`. */
  path: string;
  summary: string;
  description?: string;
  /** `none` where the door's credential is not needed. */
  security?: 'none';
  /** A POST takes an Idempotency-Key by `idempotently`, unless this is false. */
  idempotent?: false;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The schema of the body of each good answer, by status; null for no body. */
  answers: Readonly<Record<number, z.ZodType | null>>;
};

/** Routers as they are mounted: which paths lead to them, and with which credential. */
export type Mount = {
  prefix: string;
  url: string;
  security: Security | undefined;
  /** Of a door whose operations other doors have, too: tells its tags and operation ids from theirs. */
  audience?: string;
  routers: readonly object[];
};

type Security = 'bearer' | 'accessToken' | 'session';

/** The cookie's name depends on the address of the door that it opens. */
const securitySchemes = (mounts: readonly Mount[]) => {
  const session = mounts.find(({ security }) => security === 'session');
  return {
    bearer: { type: 'http', scheme: 'bearer', description: 'An API key, for everything below /v1.' },
    accessToken: { type: 'apiKey', in: 'header', name: 'X-ACCESS-TOKEN', description: 'The same API key.' },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName({ baseUrl: session?.url ?? '' }),
      description: 'What POST /session sets.',
    },
  } as const satisfies Record<Security, object>;
};

const idempotencyKey = z.object({
  'Idempotency-Key': z.string().max(255).optional().meta({
    description: 'Makes a repeated request safe for 24 hours: it is answered as the first one was, and does nothing.',
  }),
});

/** Whether a request of this schema must have a body. */
export const needsBody = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success;

const declared = new WeakMap<object, Operation[]>();
const tagged = new WeakMap<object, Tag>();

/** Keeps what a router serves, for the document. */
export const describe = (router: object, operation: Operation): void => {
  if (!tagged.has(router)) throw new TypeError(`the router of ${operation.id} has no tag`);
  declared.set(router, [...operationsOf(router), operation]);
};

/** Keeps what a router's operations are grouped by. */
export const setTag = (router: object, tag: Tag): void => {
  tagged.set(router, tag);
};

/** What was declared for a router, in order. */
const operationsOf = (router: object): readonly Operation[] => declared.get(router) ?? [];

const description = `Customer messaging and automation that you run yourself. Errors, ids, lists, idempotency and rate limits work alike
everywhere; \`docs/api.md\` of the project has them in brief, \`docs/events.md\` what receivers get.`;

/** The OpenAPI 3.1 document of everything that is mounted: made from the same schemas that parse the requests. */
export const createOpenApi = (mounts: readonly Mount[]) => {
  const paths: ZodOpenApiPathsObject = {};
  const groups = new Map<string, Map<string, string>>();
  const servers = [...new Set(mounts.map(({ url }) => url))].map((url) => ({ url }));
  for (const mount of mounts) {
    for (const router of mount.routers) {
      const tag = tagged.get(router);
      if (tag === undefined) continue;
      const shown = mount.audience === undefined ? tag : `${mount.audience}: ${tag}`;
      const group = groups.get(mount.audience ?? 'API') ?? new Map<string, string>();
      groups.set(mount.audience ?? 'API', group.set(shown, tags[tag]));
      for (const operation of operationsOf(router)) {
        const path = `${mount.prefix}${operation.path.replace(/:(\w+)/g, '{$1}')}`;
        paths[path] = {
          ...paths[path],
          ...(servers.length > 1 && { servers: [{ url: mount.url }] }),
          [operation.method]: showOperation(operation, mount, shown),
        };
      }
    }
  }
  groups.set('Receivers', new Map([['Events', 'What is sent to webhooks.']]));
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Parley',
      version: '1',
      description,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers,
    tags: [...groups.values()].flatMap((group) => [...group].map(([name, text]) => ({ name, description: text }))),
    'x-tagGroups': [...groups].map(([name, group]) => ({ name, tags: [...group.keys()] })),
    paths,
    webhooks: createWebhooks(),
    components: { securitySchemes: securitySchemes(mounts) },
  });
};

const idOf = ({ id }: Operation, { audience }: Mount): string =>
  audience === undefined ? id : `${audience.toLowerCase()}${id.charAt(0).toUpperCase()}${id.slice(1)}`;

const refused = { content: { 'application/json': { schema: errorBody } } };

const showOperation = (operation: Operation, mount: Mount, tag: string): ZodOpenApiOperationObject => {
  const { method, path, summary, description, query, body, answers } = operation;
  const security = operation.security === 'none' ? undefined : mount.security;
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, z.string()] as const);
  const good = Object.entries(answers).map(([status, schema]) => [
    status,
    { description: 'Done.', ...(schema && { content: { 'application/json': { schema } } }) },
  ]);
  return {
    operationId: idOf(operation, mount),
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: security ? [{ [security]: [] }] : [],
    requestParams: {
      ...(parameters.length > 0 && { path: z.object(Object.fromEntries(parameters)) }),
      ...(query instanceof z.ZodObject && { query }),
      ...(method === 'post' && operation.idempotent !== false && { header: idempotencyKey }),
    },
    ...(body && { requestBody: { required: needsBody(body), content: { 'application/json': { schema: body } } } }),
    responses: {
      ...Object.fromEntries(good),
      '4XX': { description: 'Refused: `code` and `details` say why.', ...refused },
      default: { description: 'What went wrong.', ...refused },
    },
  };
};
