import { errors, type Dispatcher } from 'undici';
import { AnswerError } from './answer-error.ts';
import { type Connection, endConnection } from './connections.ts';
import { DialError } from './dial.ts';
import { createExcerpt } from './excerpt.ts';
import { codeOf } from '../error-code.ts';
import type { ExchangeFailure } from './exchange-failures.ts';
import type { FailureDetail } from './failure-details.ts';
import type { AnswerHeaders } from './read-head.ts';
import { readTlsFailure } from './tls-failure.ts';

/** What ended a body before its end. */
type Truncation = 'size' | 'timeout' | 'reset';

/**
 * What came of one request. `durationMs` runs from the start to the headers or to the failure. `message` is short and holds neither
 * body nor headers. `requestSent` is false when no byte of the request can have reached anybody. `busy` says nothing of the other
 * side: too much was under way here, and nobody was asked.
 */
export type Exchange =
  | {
      type: 'answered';
      status: number;
      headers: AnswerHeaders;
      /** The body as it came, never decompressed, at most `maxBodyBytes`. */
      body: Uint8Array;
      /** True when the body did not end within its size and time. */
      bodyTruncated: boolean;
      /** Why: it was too large, its time was over, or the connection broke. */
      truncatedBy?: Truncation;
      address?: string;
      durationMs: number;
    }
  | {
      type: 'failed';
      reason: ExchangeFailure;
      /** What exactly is wrong with the server: of `tls` always, of `protocol` where it is known. */
      detail?: FailureDetail;
      message: string;
      address?: string;
      durationMs: number;
      requestSent: boolean;
    }
  | { type: 'busy'; message: string };

export interface ExchangeRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  body: Uint8Array | null;
  startedMs: number;
  timeoutMs: number;
  maxBodyBytes: number;
  signal?: AbortSignal | undefined;
}

/**
 * Makes one exchange over a connection, and sets `connection.reusable` to whether it may carry another. The deadline is `timeoutMs`
 * after `startedMs` and covers everything. Rejects only when `signal` aborts and for mistakes of the caller.
 */
export function makeExchange(connection: Connection, request: ExchangeRequest): Promise<Exchange> {
  const { promise, resolve, reject } = Promise.withResolvers<Exchange>();
  const { startedMs, timeoutMs, maxBodyBytes, signal } = request;
  const elapsedMs = () => Math.round(performance.now() - startedMs);
  let requestSent = false;
  let head: { status: number; headers: AnswerHeaders; durationMs: number } | undefined;
  const body = createExcerpt(maxBodyBytes);
  let ended = false;

  const timer = setTimeout(onDeadline, Math.max(0, startedMs + timeoutMs - performance.now()));
  signal?.addEventListener('abort', onAbort);

  function end(reusable: boolean): void {
    ended = true;
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    if (reusable) return;
    connection.reusable = false;
    endConnection(connection);
  }

  function address(): { address?: string } {
    return connection.dialling.address === undefined ? {} : { address: connection.dialling.address };
  }

  function answer(answered: NonNullable<typeof head>, truncatedBy?: Truncation): void {
    const bodyTruncated = truncatedBy !== undefined;
    resolve({
      type: 'answered',
      ...answered,
      body: body.bytes(),
      bodyTruncated,
      ...(truncatedBy && { truncatedBy }),
      ...address(),
    });
    end(!bodyTruncated);
  }

  function fail({ reason, message, detail }: Failure): void {
    resolve({
      type: 'failed',
      reason,
      ...(detail && { detail }),
      message: printable(message),
      ...address(),
      durationMs: elapsedMs(),
      requestSent,
    });
    end(false);
  }

  function onDeadline(): void {
    if (head) answer(head, 'timeout');
    else if (connection.dialling.resolving)
      fail({ reason: 'dns', message: `the host name was not resolved within ${timeoutMs} ms` });
    else fail({ reason: 'timeout', message: `${requestSent ? 'no answer' : 'no connection'} within ${timeoutMs} ms` });
  }

  function onAbort(): void {
    reject(signal?.reason);
    end(false);
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      // undici can put a request back into its queue. It is not sent a second time, whatever the reason.
      if (requestSent) {
        controller.abort(new Error('sent already'));
        return;
      }
      requestSent = true;
      connection.requestsSent += 1;
      connection.heads.expectHead();
    },
    onResponseStart(_controller, status) {
      if (ended) return;
      head = { status, headers: connection.heads.headers, durationMs: elapsedMs() };
    },
    onResponseData(_controller, chunk) {
      if (ended || !head) return;
      if (!body.add(chunk)) answer(head, 'size');
    },
    onResponseEnd() {
      if (!ended && head) answer(head);
    },
    onResponseError(_controller, error) {
      if (ended) return;
      if (error instanceof errors.InvalidArgumentError || error instanceof errors.NotSupportedError) {
        reject(new TypeError(`not a request: ${error.message}`, { cause: error }));
        end(false);
      } else if (head) answer(head, 'reset');
      else if (error instanceof DialError && error.reason === 'busy') {
        resolve({ type: 'busy', message: error.message });
        end(false);
      } else fail(failureOf(error instanceof DialError ? error : (connection.dialling.error ?? error)));
    },
  };
  const dispatch = () => {
    const { method, path, headers } = request;
    if (!ended) connection.client.dispatch({ method, path, headers, body: request.body }, handler);
  };
  if (signal?.aborted) onAbort();
  // undici looks for a close on a kept socket one phase of the event loop later, and reads nothing new when this runs
  // inside the reading phase. From the next phase on, there is a whole turn in between.
  else if (connection.requestsSent > 0) setImmediate(dispatch);
  else dispatch();
  return promise;
}

type Failure = { reason: ExchangeFailure; message: string; detail?: FailureDetail | undefined };

function failureOf(error: Error): Failure {
  const { message } = error;
  if (error instanceof DialError && error.reason !== 'busy') {
    return { reason: error.reason, message, detail: error.detail };
  }
  if (error instanceof AnswerError) return { reason: 'protocol', message, detail: error.detail };
  const code = codeOf(error) ?? '';
  // In TLS 1.3 a server refuses after the client has long taken the handshake for done.
  if (code.startsWith('ERR_SSL_')) return { reason: 'tls', ...readTlsFailure(error, { cipherChosen: true }) };
  if (code === 'UND_ERR_SOCKET') return { reason: message.startsWith('bad ') ? 'protocol' : 'reset', message };
  return { reason: RESET_CODES.has(code) ? 'reset' : 'protocol', message };
}

const RESET_CODES = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Makes a message short and printable: parts of it come from the other side, for example the names in a certificate. */
function printable(message: string): string {
  return message.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 200);
}
