import { fieldKey, reservedKeys, type FieldType } from '../../../../../shared/custom-fields/values.ts';
import { isObject } from '../../../../../shared/flows/raw-blocks.ts';
import type { AnyDefinition } from '../../definition-text.ts';
import { getAt, setAt } from '../../edits/at.ts';
import { namesIn, placeOf, type FindFixes, type Fix, type Problem } from './fix.ts';
import { words } from './words.ts';

/** A fix that puts another value at a path of the definition; undefined takes it away. */
export const put = (label: string, path: string, value: unknown): Fix => ({
  label,
  type: 'edit',
  change: (definition) => {
    const changed = setAt(definition, path, value);
    return isObject(changed) ? changed : definition;
  },
});

/** The names that may have been meant, in the place of the one that stands there. */
export const useNear: FindFixes = ({ issue }) => namesIn(issue).map((name) => put(words.use(name), issue.path, name));

/** Takes what stands at the path away. */
export const removeIt =
  (label: (name: string) => string): FindFixes =>
  ({ issue: { path } }) => [put(label(path.slice(path.lastIndexOf('.') + 1)), path, undefined)];

/** Creates a field of this key, where one may have it. */
export const createFieldOf = (key: string, fieldType: FieldType): Fix[] =>
  fieldKey.test(key) && !reservedKeys.has(key)
    ? [{ label: words.createField(key), type: 'create_field', key, fieldType }]
    : [];

const numbers: readonly unknown[] = ['increment', 'gt', 'gte', 'lt', 'lte'];
const lists: readonly unknown[] = ['append', 'remove'];

/** The type that a field needs where it is named: by the answer that it takes, by what is done with it, or by the rule. */
const typeNeededAt = (definition: AnyDefinition, path: string): FieldType => {
  const block = getAt(definition, `blocks.${placeOf(path)?.index}`);
  const holder = getAt(definition, path.slice(0, path.lastIndexOf('.')));
  const expects = isObject(block) ? block['expects'] : undefined;
  if (expects === 'number' || expects === 'date') return expects;
  const op = isObject(holder) ? holder['op'] : undefined;
  if (numbers.includes(op)) return 'number';
  return lists.includes(op) ? 'list' : 'text';
};

/** A field, or a name of a rule, that is not there. */
export const unknownField: FindFixes = (problem) => {
  const { issue, definition, value } = problem;
  if (typeof value !== 'string') return [];
  return [...useNear(problem), ...createFieldOf(value, typeNeededAt(definition, issue.path))];
};

/** A tag that is not there yet. */
export const unknownTag: FindFixes = (problem) => {
  const { value } = problem;
  if (typeof value !== 'string' || value.trim() === '') return [];
  return [...useNear(problem), { label: words.createTag(value), type: 'create_tag', name: value.trim() }];
};

/** A name that an object does not have: it is renamed to one that may have been meant, or removed. */
export const unknownKey: FindFixes = ({ issue, definition: now }) => {
  if (!issue.message.startsWith('is not a known field')) return [];
  const { path } = issue;
  const [holder, name] = [path.slice(0, Math.max(path.lastIndexOf('.'), 0)), path.slice(path.lastIndexOf('.') + 1)];
  const rename = (other: string): Fix => ({
    label: words.rename(other),
    type: 'edit',
    change: (definition) => {
      const object = getAt(definition, holder);
      if (!isObject(object) || Object.hasOwn(object, other)) return definition;
      const renamed = Object.fromEntries(
        Object.entries(object).map(([key, value]) => [key === name ? other : key, value]),
      );
      const changed = setAt(definition, holder, renamed);
      return isObject(changed) ? changed : definition;
    },
  });
  const isFree = (other: string): boolean => getAt(now, holder === '' ? other : `${holder}.${other}`) === undefined;
  return [...namesIn(issue).filter(isFree).map(rename), put(words.remove(name), path, undefined)];
};

/** A delay has one of the two. */
export const oneDuration: FindFixes = ({ issue, definition }) => {
  const at = `blocks.${placeOf(issue.path)?.index}`;
  const block = getAt(definition, at);
  if (!isObject(block)) return [];
  return block['for'] !== undefined && block['until'] !== undefined
    ? [put(words.remove('until'), `${at}.until`, undefined), put(words.remove('for'), `${at}.for`, undefined)]
    : [put(words.waitHour, `${at}.for`, 'PT1H')];
};

/** What the field beside a path, of the same object, is to be. */
export const putBeside =
  (label: string, name: string, value: unknown): FindFixes =>
  ({ issue: { path } }: Problem) => [put(label, `${path.slice(0, path.lastIndexOf('.'))}.${name}`, value)];
