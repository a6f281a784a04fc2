import type { Answer, MockAnswer } from './session.ts';
import type { Request } from './transcript.ts';

/** Responses that need no more to be known. */
export const fixedAnswers = {
  not_found: { how: 'not_found', mock: { status: 404, body: { error: 'not found' } } },
  timeout: { how: 'timeout', mock: { timeout: true } },
  no_connection: { how: 'no_connection', mock: { fails: 'connect' } },
} as const satisfies Readonly<Record<string, Answer>>;

type Answered = Pick<Request, 'status_code' | 'response_headers' | 'response_body' | 'reason'>;

/** The most headers of a response that a mock has. */
const mostHeaders = 50;

const failures = ['dns', 'connect', 'tls', 'reset'] as const;

/** A real response as a mock, so that it comes again. */
export const asMock = ({
  status_code: status,
  response_headers: headers,
  response_body: body,
  reason,
}: Answered): MockAnswer => {
  if (status === null) {
    if (reason === 'timeout') return { timeout: true };
    return { fails: failures.find((known) => known === reason) ?? 'connect' };
  }
  const shown = Object.entries(headers ?? {})
    .slice(0, mostHeaders)
    .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value] as const);
  return { status, headers: Object.fromEntries(shown), body: body ?? '' };
};
