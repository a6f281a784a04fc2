import { Router, type RouterContext } from '@koa/router';
import type { Client } from '@temporalio/client';
import type { z } from 'zod';
import type { Plan } from '../shared/accounts/plans.ts';
import type { DeliveryMetrics } from '../shared/deliveries/metrics.ts';
import type { Config } from '../shared/platform/config.ts';
import type { Database } from '../shared/platform/db/connect.ts';
import type { Transact } from '../shared/platform/dispatch/transact.ts';
import type { Egress } from '../shared/platform/egress/client.ts';
import { invalid, notFound, type Problem } from '../shared/errors.ts';
import { parseId, type Noun } from '../shared/ids.ts';
import type { Logger } from '../shared/platform/log.ts';
import { sayIssue } from '../shared/platform/say-issue.ts';
import type { Secrets } from '../shared/platform/secrets/seal.ts';
import type { WorkflowUrl } from '../shared/platform/temporal/workflow-url.ts';
import { readBody, readJson } from './body.ts';
import { checkValues } from './check-values.ts';
import type { RequestMetrics } from './middleware/request-metrics.ts';
import { describe, needsBody, setTag, type Operation, type Tag } from './openapi.ts';
import type { Reads } from './reads.ts';

/** Whether the parts that the service stands on answer now. */
export type HealthReport = Record<'postgres' | 'temporal' | 'worker' | 'starts', 'up' | 'down'>;

export type ApiDeps = {
  config: Pick<Config, 'baseUrl' | 'apiUrl' | 'trustProxy' | 'rateLimitPerMinute'>;
  db: Database;
  transact: Transact;
  /** Lists and counts, which must not take the connections of `db`. */
  reads: Reads;
  egress: Egress;
  secrets: Secrets;
  log: Logger;
  health: () => Promise<HealthReport>;
  /** Tells this process from all others, also from those of other installations; a UUID. */
  processId: string;
  /** Temporal's client, while there is a connection. */
  temporal: () => Client | undefined;
  workflowUrl: WorkflowUrl;
  metrics: RequestMetrics & Pick<DeliveryMetrics, 'ended'>;
};

/** Who asks: the account, and the key or the signed-in user (with its session) that acts for it; ids are UUIDs. */
export type Principal = {
  accountId: string;
  plan: Plan;
  apiKeyId?: string;
  userId?: string;
  sessionId?: string;
  role?: 'owner' | 'editor' | 'agent';
};

/** What the middleware knows of a request before anybody is known to ask. */
export type RequestState = {
  requestId: string;
  traceId?: string | undefined;
  /** The asker's address in its one form; undefined when it has hung up already. */
  clientAddress?: string | undefined;
  bodyBytes?: Buffer;
};

/** The same behind a door, where the credential was good. */
export type ApiState = RequestState & { principal: Principal };

export type ApiContext = RouterContext<ApiState>;
export type ApiRouter = Router<ApiState>;

/** A router; its operations stand under `tag` in the document. */
export const createRouter = (tag?: Tag): ApiRouter => {
  const router = new Router<ApiState>();
  if (tag !== undefined) setTag(router, tag);
  return router;
};

/** What a handler gets, parsed by the schemas that its operation declares. */
type Input<Op extends Operation> = {
  body: Op extends { body: infer Body extends z.ZodType } ? z.infer<Body> : undefined;
  query: Op extends { query: infer Query extends z.ZodType } ? z.infer<Query> : undefined;
};

type FindProblems = (ctx: ApiContext, body: unknown) => Promise<readonly Problem[]>;

/**
 * Adds one operation to a router: the schemas declared here parse the request (422 with every problem at once) and stand
 * in /openapi.json. The path is relative to the door and written as the router's: `/contacts/:id`. `before` runs before
 * anything of the request is read, for a budget that a request takes whatever it holds. `findMore` finds the problems of a
 * refused body that no schema can see, so that they are told with the others.
 */
export const endpoint = <const Op extends Operation>(
  router: ApiRouter,
  operation: Op,
  handle: (ctx: ApiContext, input: Input<Op>) => Promise<void>,
  { before, findMore }: { before?: (ctx: ApiContext) => Promise<void>; findMore?: FindProblems } = {},
): void => {
  describe(router, operation);
  const { query, body } = operation;
  router.register(operation.path, [operation.method], async (ctx) => {
    await before?.(ctx);
    const input = {
      query: query && parseQuery(ctx, query),
      body: body && (await parseBody(ctx, body, findMore)),
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Input is computed from the very schemas that parsed these
    await handle(ctx, input as Input<Op>);
  });
};

/**
 * The JSON body as the schema wants it; none at all where the schema takes that. 400 for what is no JSON, 413, 415, 422 with
 * every problem at once.
 */
const parseBody = async <Schema extends z.ZodType>(
  ctx: ApiContext,
  schema: Schema,
  findMore: FindProblems = async () => [],
): Promise<z.infer<Schema>> => {
  const bytes = await bodyBytes(ctx);
  const value = bytes.length === 0 && !needsBody(schema) ? undefined : readJson(ctx.request, bytes);
  const parsed = parse(schema, value);
  if (parsed.ok) return parsed.data;
  throw invalid([...parsed.problems, ...(await findMore(ctx, value))]);
};

/** The body's bytes, read once. */
export const bodyBytes = async (ctx: ApiContext): Promise<Buffer> => (ctx.state.bodyBytes ??= await readBody(ctx));

/** The query as the schema wants it; a repeated parameter is a problem. */
const parseQuery = <Schema extends z.ZodType>(ctx: ApiContext, schema: Schema): z.infer<Schema> => {
  const entries = [...new URLSearchParams(ctx.querystring)];
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name] of entries) (seen.has(name) ? repeated : seen).add(name);
  if (repeated.size > 0) throw invalid([...repeated].map((path) => ({ path, message: 'is given more than once' })));
  const parsed = parse(schema, Object.fromEntries(entries));
  if (!parsed.ok) throw invalid(parsed.problems);
  return parsed.data;
};

/** The UUID behind the TypeID in the path; 404 for what is no id of this noun. */
export const pathId = (ctx: ApiContext, noun: Noun, parameter = 'id'): string => {
  const id = parseId(noun, ctx.params[parameter] ?? '');
  if (id === undefined) throw notFound(noun);
  return id;
};

const parse = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { ok: true; data: z.infer<Schema> } | { ok: false; problems: Problem[] } => {
  const problems = checkValues(value);
  if (problems.length > 0) return { ok: false, problems };
  const parsed = schema.safeParse(value, { error: sayIssue });
  return parsed.success
    ? { ok: true, data: parsed.data }
    : { ok: false, problems: parsed.error.issues.flatMap(problemsOf) };
};

const problemsOf = (issue: z.core.$ZodIssue): Problem[] => {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, message: issue.message }));
  }
  // What is wrong with a key of a record is told one level down.
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path, message }));
  return [{ path, message: issue.message }];
};
