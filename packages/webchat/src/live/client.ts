import { fieldsOf, listOf, textOf } from '../reading.ts';
import { RequestFailure } from './request-failure.ts';
import { sendFile, type Sending } from './send-file.ts';

export type RequestOptions = {
  body?: unknown;
  token?: string | null;
  signal?: AbortSignal;
};

export type Client = {
  /** The body of an answer, read as JSON; undefined where it has none. */
  request: (
    method: 'GET' | 'POST',
    path: string,
    options?: RequestOptions,
  ) => Promise<{ status: number; body: unknown }>;
  /** An answer that has begun and goes on. */
  open: (path: string, options: RequestOptions) => Promise<Response>;
  /** Sends a file as it is, and says how much has gone, from 0 to 1. Answers as `request` does. */
  upload: (path: string, file: Blob, options: Sending) => Promise<{ body: unknown }>;
};

const deadlineMs = 15_000;

/** The longest that a server is believed to want to be left alone. */
const longestWaitMs = 300_000;

const failureOf = async (answer: Response): Promise<RequestFailure> => {
  const body: unknown = await answer.json().catch(() => undefined);
  const seconds = Number(answer.headers.get('Retry-After') ?? 0);
  const waitMs = Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0) * 1_000, longestWaitMs) : 0;
  const error = fieldsOf(fieldsOf(body)['error']);
  const field = textOf(fieldsOf(listOf(error['details'])[0])['path']);
  return new RequestFailure(answer.status, textOf(error['message']), { waitMs, field });
};

/** Asks the channel's routes. No cookies go along, and no credential stands in a url. */
export const createClient = (base: string): Client => {
  const begin = async (
    method: string,
    path: string,
    options: RequestOptions,
    signal: AbortSignal,
  ): Promise<Response> => {
    const { body, token } = options;
    const headers: Record<string, string> = {};
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (token) headers['X-Visitor-Token'] = token;
    let answer: Response;
    try {
      answer = await fetch(`${base}/${path}`, {
        method,
        headers,
        signal,
        credentials: 'omit',
        cache: 'no-store',
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    } catch {
      throw new RequestFailure(0, '');
    }
    if (!answer.ok) throw await failureOf(answer);
    return answer;
  };

  /** Ends at the deadline, or with the caller's signal. It lets go of that afterwards, unless the answer came on time and goes on. */
  const within = async <T>(
    { signal: outer }: RequestOptions,
    work: (signal: AbortSignal, onTime: () => void) => Promise<T>,
  ) => {
    const inner = new AbortController();
    const end = (): void => inner.abort();
    const timer = setTimeout(end, deadlineMs);
    let goesOn = false;
    const onTime = (): void => {
      goesOn = true;
      clearTimeout(timer);
    };
    if (outer?.aborted) end();
    outer?.addEventListener('abort', end);
    try {
      return await work(inner.signal, onTime);
    } finally {
      clearTimeout(timer);
      if (!goesOn) outer?.removeEventListener('abort', end);
    }
  };

  return {
    request: async (method, path, options = {}) =>
      within(options, async (signal) => {
        const answer = await begin(method, path, options, signal);
        try {
          return {
            status: answer.status,
            body: answer.status === 204 ? undefined : ((await answer.json()) as unknown),
          };
        } catch {
          throw new RequestFailure(0, '');
        }
      }),
    open: async (path, options) =>
      within(options, async (signal, onTime) => {
        const answer = await begin('GET', path, options, signal);
        onTime();
        return answer;
      }),
    upload: async (path, file, options) => {
      const answer = await sendFile(`${base}/${path}`, file, options).catch(() => {
        throw new RequestFailure(0, '');
      });
      if (!answer.ok) throw await failureOf(answer);
      try {
        return { body: (await answer.json()) as unknown };
      } catch {
        throw new RequestFailure(0, '');
      }
    },
  };
};
