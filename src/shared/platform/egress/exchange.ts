import { errors, type Dispatcher } from 'undici';
import { type Connection, endConnection } from './connections.ts';
import { DialError } from './dial.ts';
import { createExcerpt } from './excerpt.ts';
import type { TlsFailure } from './tls-failures.ts';
import { codeOf } from '../error-code.ts';
import type { ExchangeFailure } from './exchange-failures.ts';

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
      headers: Record<string, string | string[]>;
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
      /** What is wrong with the TLS, where that is known. */
      detail?: TlsFailure;
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
  let head: { status: number; headers: Record<string, string | string[]>; durationMs: number } | undefined;
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

  function fail(reason: ExchangeFailure, message: string, detail?: TlsFailure): void {
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
    else if (connection.dialling.resolving) fail('dns', `the host name was not resolved within ${timeoutMs} ms`);
    else fail('timeout', `${requestSent ? 'no answer' : 'no connection'} within ${timeoutMs} ms`);
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
    },
    onResponseStart(_controller, status, headers) {
      // 1xx precede the answer.
      if (ended || status < 200) return;
      head = { status, headers: defined(headers), durationMs: elapsedMs() };
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
      } else fail(reasonOf(error), error.message, error instanceof DialError ? error.detail : undefined);
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

function reasonOf(error: Error): ExchangeFailure {
  if (error instanceof DialError && error.reason !== 'busy') return error.reason;
  const code = codeOf(error) ?? '';
  // In TLS 1.3 a server refuses after the client has long taken the handshake for done.
  if (code.startsWith('ERR_SSL_')) return 'tls';
  if (code === 'UND_ERR_SOCKET') return error.message.startsWith('bad ') ? 'protocol' : 'reset';
  return RESET_CODES.has(code) ? 'reset' : 'protocol';
}

const RESET_CODES = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Makes a message short and printable: parts of it come from the other side, for example the names in a certificate. */
function printable(message: string): string {
  return message.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 200);
}

function defined(headers: Record<string, string | string[] | undefined>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
