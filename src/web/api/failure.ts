import type { components } from './paths.gen.d.ts';

type Told = components['schemas']['Error']['error'];

/** A request that the API refused, with what its error envelope says. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: NonNullable<Told['details']>;
  readonly conflictWith: Told['conflict_with'];
  /** For `answered_meanwhile`: what another user has answered. */
  readonly answer: Told['answer'];
  readonly requestId: string | undefined;
  /** When the request may be sent again, in seconds from now, where the answer says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, told: Partial<Told>, retryAfterSeconds: number | undefined) {
    super(told.message ?? `The server answered ${status}.`);
    this.name = 'ApiFailure';
    this.status = status;
    this.code = told.code ?? 'unknown';
    this.details = told.details ?? [];
    this.conflictWith = told.conflict_with;
    this.answer = told.answer;
    this.requestId = told.request_id;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Whether the same request may succeed later: no answer came, or the service is busy or away. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof ApiFailure && (error.status >= 500 || error.status === 429));

/** Whether it is the API's envelope, which its document describes. Only that has the id of the request: a proxy's own answer has not. */
const isEnvelope = (body: unknown): body is components['schemas']['Error'] => {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  return typeof error === 'object' && error !== null && 'request_id' in error;
};

/** What an answer that is no success says. A proxy's answer has no envelope. */
export const readFailure = async (response: Response): Promise<ApiFailure> => {
  const body: unknown = await response.json().catch(() => undefined);
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiFailure(response.status, isEnvelope(body) ? body.error : {}, seconds >= 0 ? seconds : undefined);
};
