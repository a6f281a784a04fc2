import { getAt } from '../../edits/at.ts';
import type { Issue } from '../../json/issue-list.tsx';
import { useOpenBlock } from '../open-block.ts';
import { useProblems } from '../problems/field-problems.tsx';

/** A value of the open block, with what a control of it needs. */
export type At = {
  value: unknown;
  set: (value: unknown) => void;
  problems: readonly Issue[];
  /** The id of what tells the problems, and for the input that has them. */
  problemsId: string;
  described: { 'aria-describedby'?: string; 'aria-invalid'?: true };
};

/** The value at a path within the open block. `isWhole`: also the problems of what is within it. */
export const useAt = (path: string, options?: { isWhole?: boolean }): At => {
  const { block, setAt } = useOpenBlock();
  const problems = useProblems(path, options);
  const problemsId = `${path}-problems`;
  return {
    value: getAt(block, path),
    set: (value) => setAt(path, value),
    problems,
    problemsId,
    described: {
      ...(problems.length > 0 && { 'aria-describedby': problemsId }),
      ...(problems.some(({ severity }) => severity === 'error') && { 'aria-invalid': true }),
    },
  };
};

/** What every form gives a control. */
export type ControlProps = { path: string; label: string; description?: string };
