import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import type { Operation } from './resource.ts';
import { errorBody } from './middleware/errors.ts';
import { sayRole } from './roles.ts';

/** How the door of an operation is opened, as far as its refusals depend on it. */
type Security = 'bearer' | 'accessToken' | 'session' | undefined;

const content = { 'application/json': { schema: errorBody } };

const refusal = (told: { id: string; description: string; headers?: z.ZodObject }) => ({ ...told, content });

const retryAfter = (description: string) => z.string().meta({ description, example: '5' });

/** What is the same of every operation that may be refused so. HTTP itself has others before any operation: 400, 408, 417, 421 and 431. */
const usual = {
  400: refusal({ id: 'InvalidJson', description: 'The body is not JSON in UTF-8.' }),
  401: refusal({
    id: 'Unauthorized',
    description: 'No valid credential.',
    headers: z.object({ 'WWW-Authenticate': z.string().meta({ example: 'Bearer realm="parley"' }) }),
  }),
  403: refusal({ id: 'Forbidden', description: "The Origin is not the dashboard's." }),
  404: refusal({ id: 'NotFound', description: 'Not found, or it belongs to another account.' }),
  409: refusal({
    id: 'Ambiguous',
    description: 'Several contacts match the path: `conflict_with` has one of them.',
  }),
  412: refusal({ id: 'Changed', description: 'The stored version has another ETag than If-Match names.' }),
  413: refusal({
    id: 'TooLarge',
    description: 'The body is too large. The response may come before you have sent all of it.',
  }),
  415: refusal({
    id: 'UnsupportedMediaType',
    description: 'The body is not application/json in UTF-8, or it is compressed.',
  }),
  422: refusal({ id: 'Invalid', description: 'The request is not valid: `details` name every problem.' }),
  429: refusal({
    id: 'RateLimited',
    description: 'Too many requests, too many at once, or too many at once for the same resource.',
    headers: z.object({ 'Retry-After': retryAfter('In seconds.') }),
  }),
  '5XX': refusal({
    id: 'Failed',
    description: 'Parley failed, or a part of it does not respond. After a 503, send the same request again.',
    headers: z.object({ 'Retry-After': retryAfter('Of 503, in seconds.').optional() }),
  }),
};

type Status = keyof typeof usual;

/** What is declared of an operation may be refused with these. */
const statusesOf = (operation: Operation, security: Security): Status[] => {
  const { method, path, role, noun, idempotent, ifMatch, query, params, body } = operation;
  const readsBody = body !== undefined || idempotent === true;
  return [
    ...(body ? ([400] as const) : []),
    ...(security && role !== 'anyone' ? ([401] as const) : []),
    ...(security === 'session' && method !== 'get' ? ([403] as const) : []),
    ...(path.includes(':') ? ([404] as const) : []),
    ...(noun === 'contact' ? ([409] as const) : []),
    ...(ifMatch ? ([412] as const) : []),
    ...(readsBody ? ([413, 415] as const) : []),
    ...(readsBody || query || params || noun === 'contact' ? ([422] as const) : []),
    429,
    '5XX',
  ];
};

/** Statuses of which an operation declares further reasons. */
const joined: ReadonlySet<string> = new Set(['403', '409']);

/** The responses of an operation that is refused. What it declares of a status stands in the place of what is usual. */
export const showRefusals = (operation: Operation, security: Security): Record<string, ZodOpenApiResponseObject> => {
  const { role, refusals = {} } = operation;
  const shown = new Map<string, ZodOpenApiResponseObject>(
    statusesOf(operation, security).map((status) => [String(status), usual[status]]),
  );
  const declare = (status: string, text: string) => {
    const known = shown.get(status);
    // Both may be why: the one does not stand for the other.
    const description = known && joined.has(status) ? `${text} ${known.description}` : text;
    shown.set(status, { ...(known?.headers && { headers: known.headers }), description, content });
  };
  // An API key acts as an editor: a role is asked for where users come in.
  if (security === 'session' && role !== 'anyone' && role !== 'agent') declare('403', `Needs ${sayRole(role)}.`);
  for (const [status, text] of Object.entries(refusals)) declare(status, text);
  return Object.fromEntries(shown);
};
