import { showId, type Noun } from './ids.ts';

/**
 * One problem of a request: where (`path`, dotted, from the body, query or parameter), what, and of which kind (`code`: one of `problemCodes` in
 * `platform/say-issue.ts`). An issue of a flow says more, and has codes of its own: `Issue` in `flows/definition/issues.ts`.
 */
export type Problem = {
  path: string;
  message: string;
  severity?: 'error' | 'warning';
  code?: string;
  block_id?: string | null;
  hint?: string | null;
};

export type ErrorCode =
  | 'bad_request'
  | 'invalid_json'
  | 'unauthorized'
  | 'plan_required'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'conflict'
  | 'answered_meanwhile'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'expectation_failed'
  | 'misdirected_request'
  | 'invalid_request'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal_error'
  | 'unavailable';

/** The HTTP status of every error code: the one place where status numbers live. */
export const statusByCode = {
  bad_request: 400,
  invalid_json: 400,
  unauthorized: 401,
  plan_required: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  answered_meanwhile: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  misdirected_request: 421,
  invalid_request: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const satisfies Record<ErrorCode, number>;

/** The other thing that a refused request collides with: its TypeID, and the field of the request that it has, if it is by one. */
export type ConflictWith = { id: string; key: string | null };

/** What a refusal says beside its message. */
type More = { details?: readonly Problem[]; conflictWith?: ConflictWith };

/** A refusal that its caller is told about; `details` name every problem at once. */
export class RequestError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly Problem[] | undefined;
  readonly conflictWith: ConflictWith | undefined;

  constructor(code: ErrorCode, message: string, { details, conflictWith }: More = {}) {
    super(message);
    this.name = 'RequestError';
    this.code = code;
    this.details = details;
    this.conflictWith = conflictWith;
  }
}

/**
 * A 409 that names the other thing: `id` is its UUID, undefined when it has gone meanwhile, and `key` the field of the request that it has, if they
 * collide by one.
 */
export const conflictWith = (
  message: string,
  {
    noun,
    id,
    key = null,
    details,
  }: { noun: Noun; id: string | undefined; key?: string | null; details?: readonly Problem[] },
): RequestError =>
  new RequestError('conflict', message, {
    ...(details && { details }),
    ...(id !== undefined && { conflictWith: { id: showId(noun, id), key } }),
  });

/** A 404. It also answers for things of another account, so that ids cannot be probed. */
export const notFound = (what: string): RequestError => new RequestError('not_found', `No such ${what}.`);

/** The value, if there is one. Otherwise throws `not_found`. */
export const found = <Found>(what: string, value: Found | undefined): Found => {
  if (value === undefined) throw notFound(what);
  return value;
};

/** The most problems of a refusal, and the most characters of each path, because a caller could make both long. */
const maxProblems = 100;
const maxPathLength = 200;

/** A 422 that names the problems, each with a code: `invalid` where it brings none. Of very many it names the first ones and their number. */
export const invalid = (problems: Problem | readonly Problem[]): RequestError => {
  const all = [problems].flat();
  const message =
    all.length <= maxProblems
      ? 'The request is not valid.'
      : `The request is not valid; ${maxProblems} of its ${all.length} problems are listed.`;
  const details = all
    .slice(0, maxProblems)
    .map(({ path, message, code = 'invalid' }) => ({ path: shorten(path), message, code }));
  return new RequestError('invalid_request', message, { details });
};

const shorten = (path: string): string => (path.length <= maxPathLength ? path : `${path.slice(0, maxPathLength)}…`);
