import { z } from 'zod';
import { findReferredContact } from '../shared/contacts/references.ts';
import { found } from '../shared/errors.ts';
import { nounName, parseId, type Noun } from '../shared/ids.ts';
import type { EventTransaction } from '../shared/facts/tell.ts';
import type { Database } from '../shared/platform/db/connect.ts';
import type { WebhookScope } from '../shared/webhooks/queries.ts';
import { bodyBytes, strayBodyLimit } from './body.ts';
import type { ApiContext } from './http.ts';
import type { Principal } from './principal.ts';
import { repairTexts } from '../shared/platform/repair-texts.ts';
import { inLine } from '../shared/platform/bulkhead/asker.ts';
import { setRevision } from './if-match.ts';
import { answeredAgain, idempotently, isKeyed, type AfterCommit } from './idempotency.ts';
import { findLine, type NameLine } from './lines.ts';
import { answerList, createListShares } from './lists-of-bodies.ts';
import { parseBody, parseList, parseParams, parseQuery, readBody, type ListLimits, type Parsed } from './parse.ts';
import type { FindMore, Operation, Resource, ResourceDeps } from './resource.ts';
import { requireRole } from './roles.ts';

/** What a handler gets: who asks, what that reaches, and the request as the declared schemas parsed it. */
type Input<Op extends Operation> = Asker<Op> & {
  ctx: ApiContext;
  /** The UUID that the path names. */
  id: Op extends { noun: Noun } ? string : undefined;
  params: Op extends { params: infer Params extends z.ZodType } ? z.infer<Params> : undefined;
  query: Op extends { query: infer Query extends z.ZodType } ? z.infer<Query> : undefined;
  body: Op extends { body: infer Body extends z.ZodType } ? z.infer<Body> : undefined;
};

type Asker<Op extends Operation> = Op extends { role: 'anyone' }
  ? object
  : {
      principal: Principal;
      /** The account, and the variants of webhooks and deliveries that its door reaches. */
      scope: WebhookScope;
    };

/** What the handler of an idempotent operation gets in addition. Of a list, nothing follows the commit of one body. */
type InTransaction<Op extends Operation> = Op extends { idempotent: true }
  ? Op extends { list: ListLimits }
    ? { tx: EventTransaction }
    : { tx: EventTransaction; afterCommit: AfterCommit }
  : object;

/** The body of the answer. */
type Answered<Op extends Operation> = Op['answers'][keyof Op['answers']] extends infer Schema extends z.ZodType
  ? z.output<Schema>
  : void;

type Handle<Op extends Operation, Beside = object> = (
  input: Input<Op> & InTransaction<Op> & Beside,
) => Promise<Answered<Op>>;

/**
 * Names the line of its transactions (see `inLine`), where that is not what the path names: what they lock first, as the body tells it. Undefined
 * for none.
 */
type Lined<Op extends Operation> = { line?: (input: Pick<Input<Op>, 'id' | 'body'>) => string | undefined };

/** A handler that has nothing beside it but its line. */
type LinedHandle<Op extends Operation> = Lined<Op> & { handle: Handle<Op> };

/** A handler with a part before its transaction: what no transaction may wait for, and what a repeated request must not do again. */
type PreparedHandle<Op extends Operation, Prepared> = Lined<Op> & {
  prepare: (input: Input<Op>) => Promise<Prepared>;
  handle: Handle<Op, { prepared: Prepared }>;
};

/** A handler that tries without a transaction first. Undefined, with nothing done, leaves the request to `handle`. */
type DirectHandle<Op extends Operation> = Lined<Op> & {
  direct: (input: Input<Op>) => Promise<Answered<Op> | undefined>;
  handle: Handle<Op>;
};

/** The same for any operation, as `endpoint` puts it together. */
type AnyInput = (object | { principal: Principal; scope: WebhookScope }) & {
  ctx: ApiContext;
  id: string | undefined;
  params: unknown;
  query: unknown;
  body: unknown;
};
type AnyHandle = (
  input: AnyInput & (object | { tx: EventTransaction; afterCommit: AfterCommit }) & { prepared: unknown },
) => Promise<unknown>;
type AnyHandles = {
  line?: NameLine;
  prepare?: (input: AnyInput) => Promise<unknown>;
  direct?: (input: AnyInput) => Promise<unknown>;
  handle: AnyHandle;
};

/**
 * Adds an operation to a resource. A request is handled in this order: its role is checked (403), it is parsed by the declared schemas (422
 * with every problem at once), the id in its path is read (404, or 409 where a contact's name is shared), and `handle` answers the body.
 */
export function endpoint<const Op extends Operation>(resource: Resource, operation: Op, handle: Handle<Op>): void;
export function endpoint<const Op extends Operation & { idempotent: true }, Prepared>(
  resource: Resource,
  operation: Op,
  handle: PreparedHandle<Op, Prepared>,
): void;
export function endpoint<const Op extends Operation & { idempotent: true }>(
  resource: Resource,
  operation: Op,
  handle: DirectHandle<Op>,
): void;
export function endpoint<const Op extends Operation>(resource: Resource, operation: Op, handle: LinedHandle<Op>): void;
export function endpoint(
  { router, deps, operations }: Resource,
  operation: Operation,
  given: AnyHandle | AnyHandles,
): void {
  operations.push(operation);
  const { method, path, role, idempotent, etag, before } = operation;
  const { line, prepare, direct, handle }: AnyHandles = typeof given === 'function' ? { handle: given } : given;
  const status = statusOf(operation);
  const shares = createListShares();
  const answer = async (ctx: ApiContext): Promise<void> => {
    if (role !== 'anyone') requireRole(role, ctx.state.principal);
    await before?.(ctx);
    const { items, ...input } = await readInput(ctx, deps, operation);
    if (idempotent && items) {
      return answerList(ctx, deps, {
        items,
        status,
        shares,
        lineOf: (body) => line?.({ ...input, body }),
        direct: async (body) => direct?.({ ...input, body }),
        handle: (tx, body) => handle({ ...input, body, tx, prepared: undefined }),
      });
    }
    return inLine(await findLine(ctx, deps, { operation, input, line }), () => answerOne(ctx, input));
  };
  const answerOne = async (ctx: ApiContext, input: AnyInput): Promise<void> => {
    if (idempotent !== true) {
      const body = await handle({ ...input, prepared: undefined });
      return send(ctx, ctx.status in operation.answers ? ctx.status : status, body);
    }
    // A key and what it is used for commit together.
    const done = isKeyed(ctx) ? undefined : await direct?.(input);
    if (done !== undefined) return send(ctx, status, done);
    if (prepare && (await answeredAgain(ctx, deps))) return;
    const prepared = await prepare?.(input);
    await idempotently(ctx, deps, {
      status,
      work: (tx, afterCommit) => handle({ ...input, tx, afterCommit, prepared }),
    });
  };
  router.register(path, [method], async (ctx) => {
    await answer(ctx);
    if (etag) setRevision(ctx, revisionIn(ctx.body));
  });
}

const revised = z.object({ revision: z.int() });

/** The revision in the body of an answer, which is text already where it may be kept. */
const revisionIn = (body: unknown): number =>
  revised.parse(typeof body === 'string' ? JSON.parse(body) : body).revision;

const statusOf = ({ id, answers, idempotent }: Operation): number => {
  const [status, ...more] = Object.keys(answers).map(Number);
  if (status === undefined) throw new TypeError(`${id} declares no good answer`);
  if (idempotent && more.length > 0) throw new TypeError(`${id} declares several good answers, of which one is kept`);
  return status;
};

const readInput = async (
  ctx: ApiContext,
  { db }: ResourceDeps,
  operation: Operation,
): Promise<AnyInput & { items?: Parsed<unknown>[] | undefined }> => {
  const { noun, params, query, body, bodyLimit, maxValues, list, findMore } = operation;
  const { principal, variants } = ctx.state;
  const named = { params: params && parseParams(ctx, params), query: query && parseQuery(ctx, query) };
  const limits = { bytes: bodyLimit, values: list?.maxValues ?? maxValues };
  const read = body && (await readBody(ctx, body, limits));
  const given = operation.repairsTexts ? repairTexts(read) : read;
  // What a key is used for is told by its body, too.
  if (!body && operation.idempotent && isKeyed(ctx)) await bodyBytes(ctx, strayBodyLimit);
  const items = body && list && Array.isArray(given) ? parseList(given, body, list) : undefined;
  const findAll = async (known: Parameters<FindMore>[1]) => findMore?.(principal, known) ?? [];
  const one = body && !items ? await parseBody(given, body, { maxValues, findMore: findAll }) : undefined;
  const asker = operation.role === 'anyone' ? {} : { principal, scope: { accountId: principal.accountId, variants } };
  return { ...asker, ...named, body: one, items, ctx, id: noun && (await pathId(ctx, db, noun)) };
};

/** The UUID of what the path names. Throws `not_found` for what is no id of this noun, and what `findReferredContact` throws. */
const pathId = async (ctx: ApiContext, db: Database, noun: Noun): Promise<string> => {
  const named = ctx.params['id'] ?? '';
  if (noun !== 'contact') return found(nounName(noun), parseId(noun, named));
  const contactId = await findReferredContact(db, ctx.state.principal.accountId, named);
  ctx.state.contactId = contactId;
  return contactId;
};

const send = (ctx: ApiContext, status: number, body: unknown): void => {
  ctx.status = status;
  if (body !== undefined) ctx.body = body;
};
