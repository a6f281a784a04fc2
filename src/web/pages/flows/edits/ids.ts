import { isObject } from '../../../../shared/flows/raw-blocks.ts';
import type { AnyDefinition } from '../definition-text.ts';
import { idsOf, listOf } from './order.ts';

/** The most characters of an id. */
const longest = 64;

/** An id that is not taken: the wanted one, or with the first number that is free. */
export const freshId = (wanted: string, taken: ReadonlySet<string>): string => {
  const base = wanted.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, longest) || 'block';
  if (!taken.has(base)) return base;
  const stem = base.replace(/_\d{1,4}$/, '').slice(0, longest - 5) || 'block';
  for (let number = 2; ; number += 1) if (!taken.has(`${stem}_${number}`)) return `${stem}_${number}`;
};

/** An id for the block at this place, made of what it has instead of one of its own, or of its type. */
export const freshIdOf = (definition: AnyDefinition, index: number): string => {
  const block = listOf(definition)[index];
  const [id, type] = isObject(block) ? [block['id'], block['type']] : [];
  const wanted = [id, type].find((text) => typeof text === 'string' && text !== '');
  return freshId(typeof wanted === 'string' ? wanted : '', idsOf(definition));
};
