import { Text } from '@mantine/core';
import { use, useEffect } from 'react';
import type { Issue } from '../../json/issue-list.tsx';
import { OpenBlockContext } from '../open-block.ts';
import { FixButtons } from './fix-buttons.tsx';

/** What is wrong at a path of the open block: of a field that holds more than one value, also with what is within it. */
export const useProblems = (path: string | undefined, { isWhole = true } = {}): readonly Issue[] => {
  const open = use(OpenBlockContext);
  const claims = open?.claims;
  useEffect(() => (path === undefined ? undefined : claims?.add(path, isWhole)), [claims, path, isWhole]);
  if (path === undefined) return [];
  return (open?.issues ?? []).filter((issue) => issue.path === path || (isWhole && issue.path.startsWith(`${path}.`)));
};

type Props = {
  id: string;
  error?: string | undefined;
  problems: readonly Issue[];
  /** Whether each says where it is, for no field stands above it. */
  areNamed?: boolean;
};

/** Problems below their field, with what can be done about them. */
export const FieldProblems = ({ id, error, problems, areNamed = false }: Props) => {
  const base = use(OpenBlockContext)?.base;
  if (error === undefined && problems.length === 0) return null;
  return (
    <div id={id} className="field-problems">
      {error !== undefined && (
        <Text size="xs" c="error">
          {error}
        </Text>
      )}
      {problems.map((issue) => (
        <div key={`${issue.code} ${issue.path} ${issue.message}`} data-severity={issue.severity}>
          <span>
            {areNamed && issue.path !== '' && `${issue.path}: `}
            {areNamed ? `${issue.message}.` : sentence(issue.message)} {issue.hint}
          </span>{' '}
          {base !== undefined && <FixButtons issue={withinDefinition(issue, base)} />}
        </div>
      ))}
    </div>
  );
};

/** A problem of the open block, with its path from the definition. */
const withinDefinition = (issue: Issue, base: string): Issue => ({
  ...issue,
  path: [base, issue.path].filter((part) => part !== '').join('.'),
});

/** A message follows its path, and so begins in small letters. */
const sentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
