import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { blockReferenceMarkdown } from '../shared/flows/definition/reference.ts';
import { usualBodyLimit } from './body.ts';
import type { Operation, Resource } from './resource.ts';
import { answerToEither, oneOrList } from './lists-of-bodies.ts';
import { createWebhooks } from './openapi-webhooks.ts';
import { needsBody } from './parse.ts';
import { showRefusals } from './refusals.ts';
import { sessionCookieName } from './session-cookie.ts';

/** Resources as they are mounted: their paths and credential. */
export type Mount = {
  prefix: string;
  url: string;
  security: Security | undefined;
  /** Distinguishes tags and operation ids of a door whose operations another door has as well. */
  audience?: string;
  resources: readonly Pick<Resource, 'tag' | 'operations'>[];
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
      description: 'Set by POST /session.',
    },
  } as const satisfies Record<Security, object>;
};

const idempotencyKey = z.string().max(255).optional().meta({
  description: 'Makes a repeated request safe for 24 hours: it returns the first answer and changes nothing.',
});

const ifMatch = z.string().optional().meta({
  description: 'The ETag you expect; 412 if the stored version has another. Omitted or *: any.',
  example: '"7"',
});

const etag = z.string().meta({ description: 'For If-Match.', example: '"7"' });

const replayed = z.literal('true').optional().meta({
  description: 'The stored answer to an earlier request with the same Idempotency-Key.',
});

const headersOfAnswer = (operation: Operation): z.ZodObject | undefined =>
  operation.etag || operation.idempotent
    ? z.object({
        ...(operation.etag && { ETag: etag }),
        ...(operation.idempotent && { 'Idempotent-Replayed': replayed }),
      })
    : undefined;

const contactReference = z.string().meta({
  description:
    'The id, or `external:<external_id>`, `email:<address>` or `phone:<number>`, percent-encoded: a `/` as `%2F`. 409 where several contacts share it.',
});

/** The parameter that names what an operation is about. */
const idParameter = ({ noun }: Operation) => (noun === 'contact' ? contactReference : z.string());

const description = `Customer messaging and automation that you run yourself. Errors, ids, lists, idempotency and rate limits work alike
everywhere, and HTTP itself may refuse any request with 400, 405, 408, 417 or 431; \`docs/api.md\` of the project has them in brief, \`docs/events.md\` what receivers get.`;

/** The OpenAPI 3.1 document of everything that is mounted: made from the same schemas that parse the requests. */
export const createOpenApi = (mounts: readonly Mount[]) => {
  const paths: ZodOpenApiPathsObject = {};
  const groups = new Map<string, Map<string, string>>();
  const servers = [...new Set(mounts.map(({ url }) => url))].map((url) => ({ url }));
  for (const mount of mounts) {
    for (const { tag, operations } of mount.resources) {
      const shown = mount.audience === undefined ? tag.name : `${mount.audience}: ${tag.name}`;
      const group = groups.get(mount.audience ?? 'API') ?? new Map<string, string>();
      groups.set(mount.audience ?? 'API', group.set(shown, tag.description));
      for (const operation of operations) {
        const path = `${mount.prefix}${operation.path.replace(/:(\w+)/g, '{$1}')}`;
        paths[path] = {
          ...paths[path],
          ...(servers.length > 1 && { servers: [{ url: mount.url }] }),
          [operation.method]: showOperation(operation, mount, shown),
        };
      }
    }
  }
  groups.set(
    'Blocks of flows',
    new Map([['Blocks', `What a definition of a flow is made of.\n\n${blockReferenceMarkdown()}`]]),
  );
  groups.set('Receivers', new Map([['Events', 'What is sent to webhooks.']]));
  return createDocument(
    {
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
    },
    { override: hideSafeIntegers },
  );
};

/** A whole number without a bound has none in the document either: zod writes those of JavaScript, and the page shows them as examples. */
const hideSafeIntegers = ({ jsonSchema }: { jsonSchema: { minimum?: unknown; maximum?: unknown } }): void => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};

const idOf = ({ id }: Operation, { audience }: Mount): string =>
  audience === undefined ? id : `${audience.toLowerCase()}${id.charAt(0).toUpperCase()}${id.slice(1)}`;

const showOperation = (operation: Operation, mount: Mount, tag: string): ZodOpenApiOperationObject => {
  const { path, summary, description, query, body, answers } = operation;
  const { role, rawBody, bodyLimit = usualBodyLimit } = operation;
  const security = role === 'anyone' ? undefined : mount.security;
  const parameters = [...path.matchAll(/:(\w+)/g)].map(
    ([, name = '']) => [name, operation.params?.shape[name] ?? idParameter(operation)] as const,
  );
  const goodHeaders = headersOfAnswer(operation);
  const good = Object.entries(answers).map(([status, schema]) => [
    status,
    {
      description: 'Done.',
      ...(goodHeaders && { headers: goodHeaders }),
      ...(operation.events && { content: { 'text/event-stream': { schema: operation.events } } }),
      ...(schema && {
        content: {
          'application/json': {
            schema: operation.list && schema instanceof z.ZodObject ? answerToEither(Number(status), schema) : schema,
          },
        },
      }),
    },
  ]);
  const headers = {
    ...(operation.idempotent && { 'Idempotency-Key': idempotencyKey }),
    ...(operation.ifMatch && { 'If-Match': ifMatch }),
  };
  return {
    operationId: idOf(operation, mount),
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: security ? [{ [security]: [] }] : [],
    requestParams: {
      ...(parameters.length > 0 && { path: z.object(Object.fromEntries(parameters)) }),
      ...(query instanceof z.ZodObject && { query }),
      ...(Object.keys(headers).length > 0 && { header: z.object(headers) }),
    },
    ...(body && {
      requestBody: {
        description: `At most ${bodyLimit / 1024} KiB.`,
        required: needsBody(body),
        content: { 'application/json': { schema: operation.list ? oneOrList(body, operation.list) : body } },
      },
    }),
    ...(rawBody && {
      requestBody: {
        description: `At most ${rawBody.bytes / 1024} KiB.`,
        required: true,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
    }),
    responses: {
      ...Object.fromEntries(good),
      ...showRefusals(operation, mount.security),
    },
  };
};
