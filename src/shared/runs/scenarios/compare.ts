import type { Json } from '../../custom-fields/values.ts';
import { foldTag } from '../../tags/fold.ts';
import type { SimulationResult } from '../simulator/schema.ts';
import { scenarioLimits, type Difference, type Expected } from './schema.ts';

/** What a simulation came to that a scenario does not expect; nothing where all is as expected. */
export const findDifferences = (
  { status, messages, fields = {}, tags }: Expected,
  actual: SimulationResult,
): Difference[] => {
  const sent = actual.messages;
  const most = Math.max(messages?.length ?? 0, sent.length);
  return [
    ...(status === undefined ? [] : compare('status', status, actual.status)),
    ...(messages === undefined
      ? []
      : Array.from({ length: most }).flatMap((_, index) =>
          compareMessage(`messages.${index}`, messages[index], sent[index]),
        )),
    ...Object.entries(fields).flatMap(([key, value]) =>
      compare(`fields.${key}`, value, Object.hasOwn(actual.fields, key) ? (actual.fields[key] ?? null) : null),
    ),
    ...(tags === undefined ? [] : compareTags(tags, actual.tags)),
  ].slice(0, scenarioLimits.differences);
};

/** Says a difference in few words, for a list of warnings. */
export const sayDifference = ({ path, expected, actual }: Difference): string =>
  path === 'simulation' && typeof actual === 'string' ? actual : `${path} is ${say(actual)}, not ${say(expected)}`;

const say = (value: Json): string => {
  const json = JSON.stringify(value);
  return json.length <= 60 ? json : `${json.slice(0, 60)}…`;
};

type ExpectedMessage = NonNullable<Expected['messages']>[number];
type SentMessage = SimulationResult['messages'][number];

const compareMessage = (
  path: string,
  expected: ExpectedMessage | undefined,
  sent: SentMessage | undefined,
): Difference[] => {
  if (expected === undefined || typeof expected === 'string')
    return compare(path, expected ?? null, sent?.text ?? null);
  const { text, image_url: image, attachments } = expected;
  const files = attachments?.map(({ type, name }) => ({ type, ...(name !== undefined && { name }) }));
  if (!sent) {
    const parts = { ...(text !== undefined && { text }), ...(image !== undefined && { image_url: image }) };
    return compare(path, { ...parts, ...(files && { attachments: files }) }, null);
  }
  // Of each file as much as is expected of the one in its place.
  const sentFiles = sent.attachments.map(({ type, name }, index) => {
    const wanted = files?.[index];
    return wanted && !('name' in wanted) ? { type } : { type, name };
  });
  return [
    ...(text === undefined ? [] : compare(`${path}.text`, text, sent.text)),
    ...(image === undefined ? [] : compare(`${path}.image_url`, image, sent.image_url)),
    ...(files === undefined ? [] : compare(`${path}.attachments`, files, sentFiles)),
  ];
};

/** As JSON, because an exact number has nothing else to compare; keys in one order. */
const compare = (path: string, expected: Json, actual: Json): Difference[] =>
  inOrder(expected) === inOrder(actual) ? [] : [{ path, expected, actual }];

const inOrder = (value: Json): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && Object.getPrototypeOf(part) === Object.prototype
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

const compareTags = (expected: readonly string[], actual: readonly string[]): Difference[] => {
  const folded = (tags: readonly string[]): string => JSON.stringify([...new Set(tags.map(foldTag))].sort());
  return folded(expected) === folded(actual)
    ? []
    : [{ path: 'tags', expected: [...expected].sort(), actual: [...actual] }];
};
