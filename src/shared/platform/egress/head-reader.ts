import type { Socket } from 'node:net';
import { AnswerError } from './answer-error.ts';
import { createExcerpt, type Excerpt } from './excerpt.ts';
import { type AnswerHeaders, readHead } from './read-head.ts';

/** The largest status line and headers of an answer, in bytes. */
export const maxHeadBytes = 65_536;

/** The most 1xx answers before the answer itself. */
const maxInterim = 32;

/** Reads the head of each answer, that is its status line and headers, before the HTTP parser, which is too strict for what servers send. */
export interface HeadReader {
  /** A request is about to be sent: what comes next is the head of its answer. */
  expectHead(): void;
  /** What the parser gets of these bytes; undefined for nothing yet. Bodies pass as they are. Throws an AnswerError. */
  read(chunk: Buffer): Buffer | undefined;
  /** The headers of the last answer, as the server sent them. */
  readonly headers: AnswerHeaders;
}

const CR = 0x0d;
const LF = 0x0a;

/** Makes the reader of one connection. It passes 1xx answers over. */
export function createHeadReader(): HeadReader {
  let beginning: Excerpt | undefined;
  let headers: AnswerHeaders = {};
  let inHead = false;
  let hasBegun = false;
  let lineIsEmpty = false;
  let interim = 0;

  function begin(): void {
    beginning = undefined;
    inHead = true;
    hasBegun = false;
    lineIsEmpty = false;
  }

  /** Where the head begins that has not begun yet: some servers send a line break more after a body. */
  function skipLineBreaks(chunk: Buffer, from: number): number {
    let at = from;
    while (chunk[at] === CR || chunk[at] === LF) at += 1;
    hasBegun = at < chunk.length;
    return at;
  }

  /** Where the head ends that has begun; undefined when it goes on after this chunk. */
  function findEnd(chunk: Buffer, from: number): number | undefined {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === LF && lineIsEmpty) return at + 1;
      if (byte === LF) lineIsEmpty = true;
      else if (byte !== CR) lineIsEmpty = false;
    }
    return undefined;
  }

  /** The head up to the end of this piece. Most heads come in one piece, and are not copied. */
  function join(piece: Buffer, isLast: boolean): Buffer {
    if (beginning === undefined && isLast && piece.length <= maxHeadBytes) return piece;
    beginning ??= createExcerpt(maxHeadBytes);
    const fits = beginning.add(piece);
    const { buffer, byteOffset, byteLength } = beginning.bytes();
    const joined = Buffer.from(buffer, byteOffset, byteLength);
    if (!fits) throw new AnswerError('headers_too_large');
    return joined;
  }

  return {
    get headers() {
      return headers;
    },
    expectHead() {
      begin();
      interim = 0;
    },
    read(chunk) {
      let from = 0;
      while (inHead) {
        if (!hasBegun) from = skipLineBreaks(chunk, from);
        const end = findEnd(chunk, from);
        const head = join(chunk.subarray(from, end), end !== undefined);
        checkBeginning(head);
        if (end === undefined) return undefined;
        from = end;
        const answer = readHead(head.toString('latin1'));
        if (answer.type === 'final') {
          inHead = false;
          headers = answer.headers;
          const framing = Buffer.from(answer.framing, 'latin1');
          return from === chunk.length ? framing : Buffer.concat([framing, chunk.subarray(from)]);
        }
        interim += 1;
        if (interim > maxInterim) throw new AnswerError('too_many_interim');
        begin();
      }
      return chunk;
    },
  };
}

/**
 * Has the reader read what comes in on a socket before whoever reads the socket does. Node hands everything that arrives to the socket's `push`;
 * a stream around the socket would do the same with twice the events.
 */
export function readHeadsOf(socket: Socket, heads: HeadReader): Socket {
  const push = socket.push.bind(socket);
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (!Buffer.isBuffer(chunk)) return push(chunk, encoding);
    try {
      const read = heads.read(chunk);
      return read === undefined || push(read);
    } catch (error) {
      socket.destroy(error instanceof Error ? error : new Error(String(error)));
      return true;
    }
  };
  return socket;
}

/** Throws as soon as these can be no beginning of an answer, so that nobody waits for its end. */
function checkBeginning(bytes: Buffer): void {
  // The first frame of HTTP/2 (SETTINGS), which a server sends unasked: three bytes of length, and its type, 4.
  if (bytes[0] === 0 && bytes.length < 4) return;
  if (bytes[0] === 0 && bytes[3] === 4) throw new AnswerError('http_2_only');
  if (!'http/'.startsWith(bytes.toString('latin1', 0, 5).toLowerCase())) throw new AnswerError('not_http');
}
