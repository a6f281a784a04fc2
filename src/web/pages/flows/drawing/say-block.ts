import { durationMs } from '../../../../shared/flows/blocks/durations.ts';
import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import { sayDuration } from '../../runs/say-duration.ts';
import { ownOf } from '../own.ts';
import { words } from './words.ts';

/** A value of a definition as text; what is neither text nor number is none. */
export const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** A list of a definition; anything else is an empty one. */
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The first of several, and how many others there are. */
const first = (values: readonly string[]): string =>
  [values[0] ?? '', ...(values.length > 1 ? [`(+${values.length - 1})`] : [])].join(' ');

/** A duration of a definition, as people say it; what is none stays as it is. */
const duration = (iso: unknown): string => {
  const ms = durationMs(text(iso));
  return ms === undefined ? text(iso) : sayDuration(ms);
};

const signs: Readonly<Record<string, string>> = { is: '=', is_not: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤' };

/** A rule of a condition in a line: "size = M". */
export const rule = (given: unknown): string => {
  if (!isObject(given)) return '';
  const op = text(given['op']);
  return [text(given['field']), ownOf(signs, op) ?? op.replaceAll('_', ' '), json(given['value'])]
    .filter(Boolean)
    .join(' ');
};

const json = (value: unknown): string => (value === undefined ? '' : text(value) || JSON.stringify(value));

const changes: Readonly<Record<string, string>> = { increment: '+=', append: '+', remove: '−' };

type Names = { flow: (id: string) => string };

const byType: Readonly<Record<string, (block: RawBlock, names: Names) => string>> = {
  send: ({ messages }) => first(list(messages).map((message) => (isObject(message) ? text(message['text']) : ''))),
  ask: ({ prompt }) => text(prompt),
  condition: ({ rules }) => first(list(rules).map(rule)),
  delay: (block) => [duration(block['for']), text(block['until']), window(block['window'])].filter(Boolean).join(', '),
  set_field: ({ field, op, value }) => `${text(field)} ${ownOf(changes, text(op)) ?? '='} ${json(value)}`,
  clear_field: ({ field }) => text(field),
  add_tag: ({ tag }) => text(tag),
  remove_tag: ({ tag }) => text(tag),
  split: ({ weights }) =>
    Object.entries(isObject(weights) ? weights : {})
      .map(([way, weight]) => `${way} ${text(weight)}`)
      .join(' · '),
  external_request: (block) => {
    const fields = list(block['mapping']).length;
    return [sayRequest(block), ...(fields > 0 ? [words.toFields(fields)] : [])].join(' ');
  },
  wait_event: ({ event }) => text(event),
  start_flow: (block, { flow }) => flow(text(block['flow_id'])),
  handover: ({ reason }) => text(reason),
  goto: ({ block }) => text(block),
};

/** What an External Request calls: its url without scheme and query. */
export const sayRequest = ({ method, url }: RawBlock): string =>
  `${text(method)} ${text(url)
    .replace(/^https?:\/\//i, '')
    .replace(/[?#].*$/s, '')}`.trim();

const window = (given: unknown): string =>
  isObject(given) ? [text(given['from']), text(given['to'])].filter(Boolean).join('–') : '';

/** What a block does, in one line and as far as the draft says it. */
export const sayBlock = (type: string, block: RawBlock, names: Names): string =>
  ownOf(byType, type)?.(block, names).trim() ?? '';
