import * as z from 'zod/mini';

const problem = z.object({
  path: z.string(),
  message: z.string(),
  code: z.optional(z.string()),
  severity: z.optional(z.enum(['error', 'warning'])),
  block_id: z.nullish(z.string()),
  hint: z.nullish(z.string()),
});

const envelope = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.optional(z.array(problem)),
    conflict_with: z.optional(z.object({ id: z.string(), key: z.nullable(z.string()) })),
    request_id: z.string(),
  }),
});

type Told = z.infer<typeof envelope>['error'];

/** A request that the API refused, with what its error envelope says. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: NonNullable<Told['details']>;
  readonly conflictWith: Told['conflict_with'];
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
    this.requestId = told.request_id;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** What an answer that is no success says. A proxy's answer has no envelope. */
export const readFailure = async (response: Response): Promise<ApiFailure> => {
  const body: unknown = await response.json().catch(() => undefined);
  const told = envelope.safeParse(body);
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiFailure(response.status, told.success ? told.data.error : {}, seconds >= 0 ? seconds : undefined);
};
