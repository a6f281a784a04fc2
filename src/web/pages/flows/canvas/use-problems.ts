import { useMemo } from 'react';
import type { Problems } from '../drawing/face.ts';
import type { AnyDefinition } from '../definition-text.ts';
import type { Issue } from '../json/issue-list.tsx';
import { findBlockOf } from '../panel/problems/fix.ts';

const counts = new Map<string, Problems>();

/** So many problems; the same object each time, so that a block which has as many as before is not drawn again. */
const problemsOf = (errors: number, warnings: number): Problems => {
  const key = `${errors} ${warnings}`;
  const known = counts.get(key) ?? { errors, warnings };
  counts.set(key, known);
  return known;
};

/** How much is wrong with each block, by what names it. */
export const useProblems = (
  issues: readonly Issue[],
  definition: AnyDefinition,
): ((ref: string) => Problems | undefined) =>
  useMemo(() => {
    const counted = new Map<string, Problems>();
    for (const issue of issues) {
      const { severity } = issue;
      const id = findBlockOf(definition, issue);
      if (id === undefined) continue;
      const { errors, warnings } = counted.get(id) ?? { errors: 0, warnings: 0 };
      counted.set(id, severity === 'error' ? problemsOf(errors + 1, warnings) : problemsOf(errors, warnings + 1));
    }
    return (id: string) => counted.get(id);
  }, [issues, definition]);
