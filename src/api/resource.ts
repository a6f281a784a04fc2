import type { z } from 'zod';
import type { Role } from '../shared/accounts/schema.ts';
import type { Problem } from '../shared/errors.ts';
import type { Noun } from '../shared/ids.ts';
import { createRouter, type ApiContext, type ApiDeps, type ApiRouter } from './http.ts';
import type { Principal } from './principal.ts';
import type { ListLimits } from './parse.ts';

/** The declaration of an operation. Its checks and its place in the document are made of this alone. */
export type Operation = {
  /** Its name in clients that are made from the document: camelCase, unique behind its door, and never changed. */
  id: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Relative to the door, as the router writes it: `/contacts/:id`. */
  path: string;
  summary: string;
  description?: string;
  /** The least role that may call it. An API key acts as an editor. `anyone` needs no credential. */
  role: Role | 'anyone';
  /** The noun of `:id` in the path. A contact may be named otherwise as well, see `findReferredContact`. */
  noun?: Noun;
  /** What the path names beside `:id`. */
  params?: z.ZodObject;
  /** It takes an Idempotency-Key, and runs in one transaction, which keeps the answer. `in_parts`: the handler keeps it, part by part. */
  idempotent?: true | 'in_parts';
  query?: z.ZodType;
  body?: z.ZodType;
  /** Its body is a file of at most so many bytes, which the handler reads. */
  rawBody?: { bytes: number };
  /** The largest body, in bytes; 256 KiB unless told. */
  bodyLimit?: number;
  /** The most values in the body; 5,000 unless told. */
  maxValues?: number;
  /** NUL and halves of surrogate pairs in its body become U+FFFD, which would be refused otherwise: what people wrote is not lost. */
  repairsTexts?: true;
  /** It takes a list of such bodies as well. Each is handled by itself, in order, and has its own outcome (`lists-of-bodies.ts`). */
  list?: ListLimits;
  /** Its answer has an ETag: the `revision` of its body. */
  etag?: true;
  /** It takes If-Match, which the handler reads; 412 when what is there has another ETag. */
  ifMatch?: true;
  /** Runs before the request is read, for example to take it from a budget. */
  before?: (ctx: ApiContext) => Promise<void>;
  findMore?: FindMore;
  /**
   * The good answer: its status, and the schema of its body, null for none. Where there are several, it is the one of the lowest status unless
   * the handler has set another one of them in `ctx`.
   */
  answers: Readonly<Record<number, z.ZodType | null>>;
  /** Its good answer is a stream of server-sent events with this data, which the handler writes. */
  events?: z.ZodType;
  /** What the document says of some refusals beside what holds for all. */
  refusals?: Readonly<Record<number, string>>;
};

/** The problems of a body that its schema does not see, which are told with those that it sees: it has refused the body then. */
export type FindMore = (
  principal: Principal,
  given: { body: unknown; isRefused: boolean },
) => Promise<readonly Problem[]>;

/** The doors by their paths: /v1, /api and /dashboard/api. */
export type DoorName = 'v1' | 'api' | 'dashboard';

/** A group of operations in the document. */
type Tag = { name: string; description: string };

/** What a resource says of itself: its tag, which others may have as well, and behind which doors it lies. */
type Declared = { tag: Tag; doors: readonly DoorName[] };

/** The operations of one kind of thing. */
export type Resource = Declared & { deps: ResourceDeps; router: ApiRouter; operations: Operation[] };

export type ResourceDeps = Pick<ApiDeps, 'db' | 'transact' | 'secrets'>;

/** A resource without operations yet; `endpoint.ts` adds them. */
export const createResource = (deps: ResourceDeps, declared: Declared): Resource => ({
  ...declared,
  deps,
  router: createRouter(),
  operations: [],
});
