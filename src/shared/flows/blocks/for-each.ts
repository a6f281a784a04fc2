import { z } from 'zod';
import { isStorableJson } from '../../custom-fields/storable.ts';
import type { Json } from '../../custom-fields/values.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import { repairTexts } from '../../platform/repair-texts.ts';
import { renderValue } from '../templating/render-value.ts';
import { findInFile } from '../templating/files.ts';
import { dottedPath, findIn, type Scope } from '../templating/scope.ts';

/** The most items that a request is made for, and the most characters of all of them as JSON. */
const itemLimits = { items: 100, characters: 65_536 } as const;

/** For what a request is made again and again. */
export const forEachSchema = z.strictObject({
  items: z.string().min(1).max(5_000).meta({
    description:
      'A template that gives a list of up to 100 items, such as `{{params.orders}}`. The other templates of the block have `{{item}}`, `{{item.…}}` and `{{index}}`, which counts from 0.',
  }),
  on_error: z.enum(['stop', 'continue']).default('stop').meta({
    description:
      'What follows an item whose request fails: `stop` takes the port `error`, `continue` goes on with the next one.',
  }),
});

export type ForEach = z.output<typeof forEachSchema>;

/** One item of a list; the index counts from 0. */
export type Item = { index: number; value: Json };

/** Whether a name in a template is that of the item or of its index. */
export const isItemName = (path: string): boolean => {
  const [root] = dottedPath(path).split('.', 1);
  return path === 'index' || root === 'item';
};

/** The scope in which names of an item have their values. */
export const withItem = <Given extends Scope>(scope: Given, item: Item | undefined): Given => {
  if (!item) return scope;
  const findInItem = (path: string): Json | undefined => findIn(item.value, path.split('.').slice(1));
  const find: Scope['find'] = (given) => {
    if (!isItemName(given)) return scope.find(given);
    const path = dottedPath(given);
    return path === 'index' ? item.index : (findInItem(path) ?? findInFile(scope.files, path, findInItem));
  };
  return { ...scope, find };
};

/** The items of a list, or what is wrong with it. A template that shows nothing gives an empty list. */
export const listItems = (
  { items: template }: ForEach,
  scope: Scope,
): { ok: true; items: readonly Json[] } | { ok: false; message: string } => {
  const rendered = renderValue(template, scope);
  if (!rendered.ok) return { ok: false, message: rendered.problem.message };
  const items = readList(rendered.value);
  if (!items) return { ok: false, message: 'is no list' };
  const { items: most, characters } = itemLimits;
  if (items.length > most) return { ok: false, message: `has ${items.length} items, more than ${most}` };
  if (!isStorableJson(items)) return { ok: false, message: 'is nested too deeply, or has too many values or digits' };
  if (JSON.stringify(items).length > characters)
    return { ok: false, message: `has more than ${characters} characters of JSON` };
  return { ok: true, items };
};

const readList = (value: Json | undefined): readonly Json[] | undefined => {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'string') return Array.isArray(value) ? value : undefined;
  if (value.trim() === '') return [];
  try {
    // A contact or a service may have written the text: the step stores its items.
    const parsed = repairTexts(parseJson(value));
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
};

/** What an item leaves a block by; undefined where the next item follows. */
export const afterItem = <Reason>(
  { on_error: onError }: ForEach,
  { index, count }: { index: number; count: number },
  { port, reason }: { port: string; reason?: Reason | undefined },
): { port: 'success' | 'error'; reason?: Reason | undefined } | undefined => {
  if (port !== 'success' && onError === 'stop') return { port: 'error', reason };
  return index + 1 < count ? undefined : { port: 'success' };
};
