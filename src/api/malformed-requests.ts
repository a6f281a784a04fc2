import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { statusByCode, type ErrorCode } from '../shared/errors.ts';
import { showError } from './middleware/errors.ts';

const refusals: Record<string, { code: ErrorCode; message: string }> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', message: 'The headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', message: 'The request took too long to arrive.' },
};

/** How long a client may take to read its refusal, in ms. It may go on sending. */
const lingerMs = 1000;

const malformed = { code: 'bad_request', message: 'This is not valid HTTP.' } as const;

/** Answers requests that Node's parser refuses, before Koa sees them, with the error envelope, and hangs up. */
export const answerMalformed = (error: Error & { code?: string }, socket: Duplex): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = refusals[error.code ?? ''] ?? malformed;
  const status = statusByCode[refusal.code];
  const requestId = randomUUID();
  const body = JSON.stringify(showError(refusal, requestId));
  const cutOff = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(cutOff));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
};
