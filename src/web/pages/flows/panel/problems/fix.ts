import type { FieldType } from '../../../../../shared/custom-fields/values.ts';
import type { AnyDefinition } from '../../definition-text.ts';
import type { Issue } from '../../../../../shared/flows/definition/issues.ts';
import { getAt } from '../../edits/at.ts';
import { indexOf, refsOf } from '../../edits/refs.ts';

/** What can be done about a problem, in one press. */
export type Fix = { label: string } & (
  | { type: 'edit'; change: (definition: AnyDefinition) => AnyDefinition }
  | { type: 'create_field'; key: string; fieldType: FieldType }
  | { type: 'create_tag'; name: string }
  /** Asks for the block first. */
  | { type: 'connect'; from: string; port: string }
);

/** A problem as its fixes are found: `value` is what stands at its path. */
export type Problem = { issue: Issue; definition: AnyDefinition; value: unknown };

/** Finds the fixes of a kind of problem. */
export type FindFixes = (problem: Problem) => Fix[];

/** The names that a hint proposes: Did you mean "a" or "b"? */
export const namesIn = ({ hint }: Issue): string[] =>
  hint?.startsWith('Did you mean ') ? [...hint.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name) : [];

/** The place of a path's block in the list, and its path within the block; undefined for a path elsewhere. */
export const placeOf = (path: string): { index: number; within: string } | undefined => {
  const [, index, within = ''] = /^blocks\.(\d+)(?:\.(.*))?$/.exec(path) ?? [];
  return index === undefined ? undefined : { index: Number(index), within };
};

/** The most characters of an id that a problem tells. */
const toldOfId = 64;

/**
 * What names the block that a problem is of, where the list may have changed since the problem was found. Of several blocks with one id it is
 * the one at the problem's place. Undefined where it is of no block, or the block is gone.
 */
export const findBlockOf = (
  definition: AnyDefinition,
  { block_id: id, path }: Pick<Issue, 'block_id' | 'path'>,
): string | undefined => {
  const place = placeOf(path);
  if (!place) return undefined;
  const there = getAt(definition, `blocks.${place.index}.id`);
  if (id === null || (typeof there === 'string' && there.slice(0, toldOfId) === id))
    return refsOf(definition)[place.index];
  return indexOf(definition, id) < 0 ? undefined : id;
};
