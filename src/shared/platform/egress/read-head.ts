import { AnswerError } from './answer-error.ts';

/** Headers by their lower-case names; of those that come more than once a list. */
export type AnswerHeaders = Record<string, string | string[]>;

/** `framing`: the head with nothing but what says where the body and the connection end, in the one form that a strict parser takes. */
type Head = { type: 'interim' } | { type: 'final'; framing: string; headers: AnswerHeaders };

const statusLine = /^HTTP\/(\d)(?:\.(\d))?[ \t]+(\d{3})(?![^\s])/i;
const token = /^[!#$%&'*+\-.^_`|~\w]+$/;
const unusual = /[^\t\r\n\x20-\x7e]/;
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const controls = /[\x00-\x08\x0a-\x1f\x7f]/g;

/**
 * Reads the head of an answer, given as latin-1, as RFC 9112 asks of a client: folded lines are joined, a line may end in a bare LF, and a line
 * that is no header is passed over. Throws an AnswerError.
 */
export function readHead(head: string): Head {
  const text = /\n[ \t]/.test(head) ? head.replaceAll(/\r?\n[ \t]+/g, ' ') : head;
  const [, major, minor, code] = statusLine.exec(text) ?? [];
  if (code === undefined || code < '100') throw new AnswerError('not_http');
  if (code === '101') throw new AnswerError('switched_protocol');
  if (code < '200') return { type: 'interim' };
  const headers = readHeaders(text);
  // What is not 1.1 is treated as 1.0, where the connection ends with the answer unless it says otherwise.
  const version = major === '1' && minor === '1' ? '1.1' : '1.0';
  const framing = `HTTP/${version} ${code} \r\n${framingOf(headers)}\r\n`;
  return { type: 'final', framing, headers: Object.fromEntries(headers) };
}

function readHeaders(text: string): Map<string, string | string[]> {
  const headers = new Map<string, string | string[]>();
  const read = unusual.test(text) ? readUnusual : (value: string) => value.trim();
  let start = text.indexOf('\n') + 1;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end);
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trimEnd().toLowerCase();
    if (token.test(name)) add(headers, name, read(line.slice(colon + 1)));
    start = end + 1;
  }
  return headers;
}

function add(headers: Map<string, string | string[]>, name: string, value: string): void {
  const before = headers.get(name);
  if (before === undefined) headers.set(name, value);
  else if (typeof before === 'string') headers.set(name, [before, value]);
  else before.push(value);
}

/** Text is UTF-8 where it can be, as servers mean it, else latin-1, as HTTP once had it. */
function readUnusual(value: string): string {
  const latin1 = value.trim().replace(controls, ' ');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(latin1, 'latin1'));
  } catch {
    // It was no UTF-8.
    return latin1;
  }
}

/** What says where the body ends, once (RFC 9112, 6.3): the strict parser refuses two lengths also when they agree. */
function framingOf(headers: Map<string, string | string[]>): string {
  const encoding = elementsOf(headers.get('transfer-encoding')).filter((coding) => coding !== 'identity');
  const lengths = elementsOf(headers.get('content-length'));
  const [length] = lengths;
  const connection = `${lineOf('connection', headers)}${lineOf('keep-alive', headers)}`;
  if (encoding.length > 0) {
    // With both, the length does not hold, and nobody can tell what such a connection carries afterwards.
    return `${length === undefined ? connection : 'connection: close\r\n'}transfer-encoding: ${encoding.join(', ')}\r\n`;
  }
  if (length === undefined) return connection;
  if (!/^\d{1,15}$/.test(length) || lengths.some((other) => other !== length)) throw new AnswerError('unclear_length');
  return `${connection}content-length: ${length}\r\n`;
}

function elementsOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return [value]
    .flat()
    .join(',')
    .split(',')
    .map((element) => element.trim().toLowerCase())
    .filter((element) => element !== '');
}

function lineOf(name: string, headers: Map<string, string | string[]>): string {
  const value = headers.get(name);
  return value === undefined ? '' : `${name}: ${[value].flat().join(', ')}\r\n`;
}
