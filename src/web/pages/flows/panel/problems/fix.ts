import type { FieldType } from '../../../../../shared/custom-fields/values.ts';
import type { AnyDefinition } from '../../definition-text.ts';
import type { Issue } from '../../../../../shared/flows/definition/issues.ts';

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
