import type { z } from 'zod';
import { sayIssue } from '../../platform/say-issue.ts';
import { keysAt } from './known-keys.ts';
import type { Nearest } from './nearest.ts';

/**
 * Something wrong in a definition. `path` is dotted, from the definition, and `message` follows it. Errors keep the flow from being
 * published; warnings do not.
 */
export type Issue = {
  severity: 'error' | 'warning';
  code: string;
  block_id: string | null;
  path: string;
  message: string;
  hint: string | null;
};

/** An issue as a check finds it. */
export type Finding = Omit<Issue, 'severity' | 'block_id' | 'hint'> &
  Partial<Pick<Issue, 'severity' | 'block_id' | 'hint'>>;

/** The most issues that are told. */
export const maxIssues = 1_000;

/** Gathers issues; of a great many the first ones. */
export const createIssues = () => {
  const issues: Issue[] = [];
  let count = 0;
  return {
    add: (finding: Finding): void => {
      count += 1;
      if (issues.length >= maxIssues) return;
      const { severity = 'error', code, block_id = null, path, message, hint = null } = finding;
      issues.push({ severity, code, block_id, path, message, hint });
    },
    /** Errors come first; each kind in the order in which it was found. */
    list: (): Issue[] => {
      const sorted = [...issues.filter(isError), ...issues.filter((issue) => !isError(issue))];
      if (count <= maxIssues) return sorted;
      const message = `has ${count} issues, of which ${maxIssues} are told`;
      return [...sorted, { severity: 'error', code: 'too_many_issues', block_id: null, path: '', message, hint: null }];
    },
  };
};

export type Issues = ReturnType<typeof createIssues>;

/** Whether an issue keeps a flow from being published. */
export const isError = ({ severity }: Issue): boolean => severity === 'error';

/** Parses one part of a definition, and tells every problem that its schema has with it. */
export const parsePart = <Schema extends z.ZodType>(
  { issues, nearest }: { issues: Issues; nearest: Nearest },
  schema: Schema,
  value: unknown,
  { path, blockId = null }: { path: string; blockId?: string | null },
): z.output<Schema> | undefined => {
  const { data, error } = schema.safeParse(value, { error: sayIssue });
  for (const issue of error?.issues ?? []) {
    const at = { code: 'invalid_shape', block_id: blockId };
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys)
        issues.add({
          ...at,
          path: join(path, [...issue.path, key]),
          message: issue.message,
          hint: nearest('key', key.slice(0, 64), keysAt(schema, issue.path)),
        });
    else {
      const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
      issues.add({ ...at, path: join(path, issue.path), message });
    }
  }
  return data;
};

const join = (path: string, rest: readonly PropertyKey[]): string =>
  [path, ...rest.map(String)]
    .filter((part) => part !== '')
    .join('.')
    .slice(0, 300);
