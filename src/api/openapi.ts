import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { errorBody } from './middleware/errors.ts';
import { sessionCookieName } from './session-cookie.ts';

/** One operation of a router, declared beside its handler; see `endpoint` in http.ts. */
export type Operation = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Relative to the door, as the router writes it: `/contacts/:id`. */
  path: string;
  summary: string;
  description?: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The schema of the body of each good answer, by status; null for no body. */
  answers: Readonly<Record<number, z.ZodType | null>>;
};

/** Routers as they are mounted: which paths lead to them, and with which credential. */
export type Mount = { prefix: string; url: string; security: Security | undefined; routers: readonly object[] };

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

/** Keeps what a router serves, for the document. */
export const describe = (router: object, operation: Operation): void => {
  declared.set(router, [...operationsOf(router), operation]);
};

/** What was declared for a router, in order. */
const operationsOf = (router: object): readonly Operation[] => declared.get(router) ?? [];

/** The OpenAPI 3.1 document of everything that is mounted: made from the same schemas that parse the requests. */
export const createOpenApi = (mounts: readonly Mount[]) => {
  const paths: ZodOpenApiPathsObject = {};
  for (const mount of mounts) {
    for (const operation of mount.routers.flatMap(operationsOf)) {
      const path = `${mount.prefix}${operation.path.replace(/:(\w+)/g, '{$1}')}`;
      paths[path] = {
        ...paths[path],
        servers: [{ url: mount.url }],
        [operation.method]: showOperation(operation, mount.security),
      };
    }
  }
  return createDocument({
    openapi: '3.1.1',
    info: { title: 'Parley', version: '1', description: 'Customer messaging and automation that you run yourself.' },
    paths,
    components: { securitySchemes: securitySchemes(mounts) },
  });
};

const showOperation = (operation: Operation, security: Security | undefined): ZodOpenApiOperationObject => {
  const { method, path, summary, description, query, body, answers } = operation;
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, z.string()] as const);
  const good = Object.entries(answers).map(([status, schema]) => [
    status,
    { description: 'Done.', ...(schema && { content: { 'application/json': { schema } } }) },
  ]);
  return {
    summary,
    ...(description !== undefined && { description }),
    ...(security && { security: [{ [security]: [] }] }),
    requestParams: {
      ...(parameters.length > 0 && { path: z.object(Object.fromEntries(parameters)) }),
      ...(query instanceof z.ZodObject && { query }),
      ...(method === 'post' && { header: idempotencyKey }),
    },
    ...(body && { requestBody: { required: needsBody(body), content: { 'application/json': { schema: body } } } }),
    responses: {
      ...Object.fromEntries(good),
      default: { description: 'What went wrong.', content: { 'application/json': { schema: errorBody } } },
    },
  };
};
