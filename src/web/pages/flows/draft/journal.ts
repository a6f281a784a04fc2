import * as z from 'zod/mini';
import { parseJson } from '../../../../shared/platform/json/parse-json.ts';
import type { Change } from './parts.ts';
import type { DraftState } from './state.ts';
import type { DoneStep } from './steps.ts';

/** The most characters that steps take in the journal: older ones are left out. */
const stepCharacters = 2_000_000;

const definition = z.record(z.string(), z.unknown());
const change = z.pipe(
  z.object({ part: z.string(), before: z.optional(z.unknown()), after: z.optional(z.unknown()) }),
  z.transform(({ part, before, after }): Change => ({ part, before, after })),
);
const step = z.object({
  label: z.string(),
  gesture: z.optional(z.string()),
  changes: z.array(change),
  at: z.number(),
});
const kept = z.object({
  base: z.object({ revision: z.number(), definition }),
  definition,
  done: z.array(step),
  undone: z.array(step),
  typed: z.optional(z.object({ text: z.string(), of: definition })),
  conflicts: z.array(
    z.pipe(
      z.object({ part: z.string(), theirs: z.optional(z.unknown()) }),
      z.transform(({ part, theirs }) => ({ part, theirs })),
    ),
  ),
  unanswered: z.array(definition),
  late: z.array(definition),
});

/** A draft as the journal keeps it. A text is kept while it is no definition. */
export const writeJournal = ({
  base,
  definition: now,
  history,
  typed,
  conflicts,
  unanswered,
  late,
}: DraftState): string => {
  const [done, room] = newest(history.done, stepCharacters);
  const [undone] = newest(history.undone, room);
  const fields = [
    `"base":{"revision":${base.revision},"definition":${jsonOf(base.definition)}}`,
    `"definition":${jsonOf(now)}`,
    `"done":[${done.join()}]`,
    `"undone":[${undone.join()}]`,
    `"conflicts":${JSON.stringify(conflicts)}`,
    `"unanswered":[${unanswered.map(jsonOf).join()}]`,
    `"late":[${late.map(jsonOf).join()}]`,
    ...(typed?.isRead === false ? [`"typed":{"text":${JSON.stringify(typed.text)},"of":${jsonOf(typed.of)}}`] : []),
  ];
  return `{${fields.join()}}`;
};

/** The draft that a text of the journal keeps; undefined for one that another version has written otherwise. */
export const readJournal = (text: string): DraftState | undefined => {
  const { data } = kept.safeParse(parse(text));
  if (!data) return undefined;
  const { done, undone, typed, ...rest } = data;
  return {
    ...rest,
    history: { done: done.map(asStep), undone: undone.map(asStep) },
    typed: typed && { ...typed, isRead: false },
  };
};

const asStep = ({ gesture, ...rest }: z.infer<typeof step>): DoneStep => ({
  ...rest,
  ...(gesture !== undefined && { gesture }),
});

const parse = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

const texts = new WeakMap<object, string>();

/** The JSON of an object that never changes, made once; of a definition from that of its blocks, most of which are as they were. */
const jsonOf = (value: object): string => {
  const before = texts.get(value);
  if (before !== undefined) return before;
  const fields = Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const json = Array.isArray(inner) ? `[${inner.map(itemJson).join()}]` : JSON.stringify(inner);
    return json === undefined ? [] : [`${JSON.stringify(key)}:${json}`];
  });
  const text = `{${fields.join()}}`;
  texts.set(value, text);
  return text;
};

const items = new WeakMap<object, string>();

const itemJson = (item: unknown): string => {
  if (typeof item !== 'object' || item === null) return JSON.stringify(item) ?? 'null';
  const text = items.get(item) ?? JSON.stringify(item);
  items.set(item, text);
  return text;
};

/** The JSON of the newest steps that have room, and the room that is left. */
const newest = (steps: readonly DoneStep[], room: number): [texts: string[], rest: number] => {
  const written: string[] = [];
  let rest = room;
  for (const one of steps.toReversed()) {
    const text = itemJson(one);
    rest -= text.length;
    if (rest < 0) break;
    written.unshift(text);
  }
  return [written, Math.max(rest, 0)];
};
