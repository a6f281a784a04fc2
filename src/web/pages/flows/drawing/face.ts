import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import { ownOf } from '../own.ts';
import type { DrawnBlock, Way } from './read-flow.ts';
import { list, rule, sayRequest, text } from './say-block.ts';
import { words } from './words.ts';

/** A part of what a block shows, from top to bottom. `does` is what `sayBlock` tells of it. */
export type FacePart =
  | { type: 'message'; text: string; lines: number }
  | { type: 'choice' | 'rule' | 'picture' | 'note'; text: string }
  | { type: 'does' };

/** What a block shows, and the room that it takes, in px. */
export type Face = { parts: readonly FacePart[]; height: number; portTops: ReadonlyMap<string, number> };

/** How much is wrong with a block. */
export type Problems = { errors: number; warnings: number };

/** The sizes of what is drawn, in px; `drawing.css` has the same. */
export const sizes = {
  width: 272,
  head: 44,
  /** Where wires of the head arrive and leave. */
  middle: 22,
  line: 18,
  bubble: 16,
  row: 26,
  port: 28,
  padding: 8,
} as const;

/** The most that a block shows of each. */
const most = { lines: 3, messages: 3, choices: 6, rules: 4 } as const;

/** About so many characters stand in a line of a message. */
const lineCharacters = 34;

/** How many lines a text takes, up to the most that is shown. */
const linesOf = (shown: string): number => {
  let lines = 0;
  for (const line of shown.slice(0, 500).split('\n')) {
    lines += Math.max(1, Math.ceil(line.length / lineCharacters));
    if (lines >= most.lines) return most.lines;
  }
  return lines;
};

const message = (given: unknown): FacePart => {
  const said = text(given).trim();
  return said === '' ? { type: 'note', text: words.noText } : { type: 'message', text: said, lines: linesOf(said) };
};

/** The first of several, and a line that says how many others there are. */
const some = (values: readonly unknown[], limit: number, part: (value: unknown) => FacePart[]): FacePart[] => {
  const more = values.length - limit;
  return [
    ...values.slice(0, limit).flatMap(part),
    ...(more > 0 ? [{ type: 'note' as const, text: words.moreOf(more) }] : []),
  ];
};

const choice = (given: unknown): FacePart[] => [
  { type: 'choice', text: isObject(given) ? text(given['label']) : text(given) },
];

const readers: Readonly<Record<string, (block: RawBlock) => FacePart[]>> = {
  send: ({ messages }) =>
    some(list(messages), most.messages, (given) => {
      if (!isObject(given)) return [];
      const { image_url: url, quick_replies: replies } = given;
      return [
        ...(text(url) === '' ? [] : [{ type: 'picture' as const, text: text(url) }]),
        message(given['text']),
        ...some(list(replies), most.choices, choice),
      ];
    }),
  ask: ({ prompt, expects, choices, save_to: field }) => [
    message(prompt),
    ...(expects === 'choice' ? some(list(choices), most.choices, choice) : []),
    ...(text(field) === '' ? [] : [{ type: 'note' as const, text: words.savesTo(text(field)) }]),
  ],
  condition: ({ rules, match }) => [
    ...(list(rules).length > 1
      ? [{ type: 'note' as const, text: match === 'any' ? words.anyRule : words.allRules }]
      : []),
    ...some(list(rules), most.rules, (given) => [{ type: 'rule', text: rule(given) }]),
  ],
  external_request: (block) => {
    const fields = list(block['mapping']).length;
    return [
      { type: 'rule', text: sayRequest(block) },
      ...(fields > 0 ? [{ type: 'note' as const, text: words.toFields(fields) }] : []),
    ];
  },
  split: () => [],
  close_conversation: () => [],
  end: () => [],
};

const faces = new WeakMap<DrawnBlock, Face>();

/** What a block shows of itself, as contacts see it, and how high that is. Each block is read once. */
export const faceOf = (block: DrawnBlock): Face => {
  const known = faces.get(block);
  if (known) return known;
  const parts = ownOf(readers, block.type)?.(block.raw) ?? [{ type: 'does' as const }];
  const room = parts.reduce((sum, part) => sum + heightOf(part), 0);
  const body = sizes.head + (parts.length === 0 ? 0 : room + sizes.padding);
  const rows = rowsOf(block);
  const portTops = new Map<string, number>();
  for (const [index, { port }] of rows.entries()) portTops.set(port, body + index * sizes.port + sizes.port / 2);
  if (hasHeadPort(block)) portTops.set(block.ways[0]?.port ?? '', sizes.middle);
  const face = { parts, height: body + rows.length * sizes.port, portTops };
  faces.set(block, face);
  return face;
};

const heightOf = (part: FacePart): number => {
  if (part.type === 'message') return part.lines * sizes.line + sizes.bubble;
  return part.type === 'choice' || part.type === 'rule' ? sizes.row : sizes.line + 2;
};

/** A block that goes on in one way alone shows its port at its head. */
export const hasHeadPort = ({ ways }: DrawnBlock): boolean => ways.length === 1 && 'to' in (ways[0] ?? {});

/** The ports that have a row each. */
export const rowsOf = (block: DrawnBlock): readonly Way[] => (hasHeadPort(block) ? [] : block.ways);

/** What people call a port of a block: of a split with how many contacts go that way. */
export const sayPort = ({ type, raw }: Pick<DrawnBlock, 'type' | 'raw'>, port: string): string => {
  if (port === 'default') return words.next;
  const { weights } = raw;
  return type === 'split' && isObject(weights) ? `${port} · ${text(weights[port])}` : port;
};
