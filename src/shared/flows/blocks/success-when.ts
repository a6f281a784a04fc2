import { z } from 'zod';
import type { Json } from '../../custom-fields/values.ts';
import { spend, type Budget } from '../templating/budget.ts';
import { textOfJson } from '../templating/values.ts';
import type { BlockProblem } from './block.ts';
import { findUncomparable } from './compare.ts';
import { readMappingPath } from './mapping-paths.ts';
import { findPatternFault, patternLimits } from './patterns.ts';
import { comparedUnits, operators, type Operator } from './rules.ts';
import { value } from './schemas.ts';

const ops = [
  'is',
  'is_not',
  'contains',
  'starts_with',
  'gt',
  'gte',
  'lt',
  'lte',
  'is_set',
  'not_set',
  'matches',
] as const satisfies readonly (keyof typeof operators)[];

const ruleSchema = z.strictObject({
  path: z.string().min(1).max(500).meta({
    description:
      'Which value of the response, as in `mapping`: `$status`, `$headers.<name>`, `$body`, or JSONPath such as `$.ok`.',
  }),
  op: z.enum(ops).meta({ description: 'How it is compared: flows.md, Blocks.' }),
  value: value.optional().meta({
    description:
      'The value to compare with, without placeholders; for `matches`, a regular expression. `is_set` and `not_set` have none.',
  }),
});

/** The rules that decide whether a response is a success. */
export const successWhenSchema = z.strictObject({
  match: z.enum(['all', 'any']).default('all').meta({ description: 'Whether all rules must hold, or one is enough.' }),
  rules: z.array(ruleSchema).min(1).max(10).meta({ description: 'The comparisons.' }),
});

export type SuccessWhen = z.output<typeof successWhenSchema>;

export type SuccessRule = SuccessWhen['rules'][number];

/** The meaning that rules had in the `v` of external_request that brought them: another one needs another `v`. */
const meaning = 2;

/** Whether a rule holds of a value of the response; undefined where that takes more than the budget has. */
export const holdsOf = (
  { op, value: right }: SuccessRule,
  left: Json | undefined,
  { budget, timeZone }: { budget: Budget; timeZone: string },
): boolean | undefined => {
  const operator: Operator = operators[op];
  if (!spend(budget, comparedUnits(operator, left, right))) return undefined;
  return operator.holds(left, right, { timeZone, type: undefined, v: meaning, budget });
};

/** A rule in words, without anything of a response: "$.ok is true". */
export const sayRule = ({ path, op, value: right }: SuccessRule): string =>
  right === undefined ? `${path} ${op}` : `${path} ${op} ${textOfJson(right)}`;

const pathHint = 'Write $status, $headers.<name>, $body, or a path such as $.items[0].ok.';

const comparisons: readonly SuccessRule['op'][] = ['is', 'is_not', 'gt', 'gte', 'lt', 'lte'];

/** What is wrong with the rules of a request beyond their shape. */
export const findSuccessProblems = ({ rules }: SuccessWhen): BlockProblem[] => {
  const patterns = rules.filter(({ op }) => op === 'matches').length;
  const message = `must have at most ${patternLimits.perBlock} rules with matches`;
  return [
    ...(patterns > patternLimits.perBlock ? [{ code: 'too_many_patterns', path: 'success_when.rules', message }] : []),
    ...rules.flatMap((rule, index) => findProblems(rule, `success_when.rules.${index}`)),
  ];
};

const findProblems = ({ path, op, value: right }: SuccessRule, at: string): BlockProblem[] => {
  const operator: Operator = operators[op];
  const read = readMappingPath(path);
  const problems: BlockProblem[] = [];
  const add = (code: string, key: keyof SuccessRule, message: string): void => {
    problems.push({ code, path: `${at}.${key}`, message });
  };
  if (!read.ok) problems.push({ code: 'invalid_path', path: `${at}.path`, message: read.problem, hint: pathHint });
  if (operator.alone && right !== undefined) add('unused_value', 'value', `is not for ${op}`);
  if (!operator.alone && right === undefined) add('no_value', 'value', `is needed for ${op}`);
  if (right === undefined) return problems;
  const fault = operator.literal ? findPatternFault(String(right)) : undefined;
  if (fault !== undefined) add('invalid_pattern', 'value', fault);
  const isNumber = read.ok && read.source.from === 'status' && comparisons.includes(op);
  const uncomparable = isNumber ? findUncomparable('number', right) : undefined;
  if (uncomparable !== undefined) add('invalid_value', 'value', uncomparable);
  return problems;
};
