import { foldTyped } from '../../typed/text.ts';
import type { BlockProblem, Known, Reference, TemplateUse } from './block.ts';
import { findUncomparable } from './compare.ts';
import { findPatternFault, patternLimits } from './patterns.ts';
import { operators, type Operator, type Rule } from './rules.ts';
import { findPath, shortName, type PathType } from './scope.ts';
import { weekdays } from './zones.ts';

/** What is wrong with rules: operators that do not fit the type of their field, values that are missing or no pattern. */
export const findRuleProblems = (rules: readonly Rule[], { fields }: Known): BlockProblem[] => [
  ...findTooManyPatterns(rules),
  ...rules.flatMap((rule, index) => {
    const path = `rules.${index}`;
    const operator: Operator = operators[rule.op];
    const problems: BlockProblem[] = [];
    const found = findPath(rule.field, fields);
    if (found?.type !== undefined && operator.types && !operator.types.includes(found.type)) {
      const message = `${rule.op} does not compare values of type ${found.type}`;
      problems.push({ code: 'wrong_operator', path: `${path}.op`, message });
    }
    if (rule.op === 'has_tag' && rule.field !== 'tags')
      problems.push({ code: 'wrong_operator', path: `${path}.field`, message: 'must be tags for has_tag' });
    if (operator.alone && rule.value !== undefined)
      problems.push({ code: 'unused_value', path: `${path}.value`, message: `is not for ${rule.op}` });
    if (!operator.alone && rule.value === undefined)
      problems.push({ code: 'no_value', path: `${path}.value`, message: `is needed for ${rule.op}` });
    const fault = operator.literal && rule.value !== undefined ? findPatternFault(String(rule.value)) : undefined;
    if (fault !== undefined) problems.push({ code: 'invalid_pattern', path: `${path}.value`, message: fault });
    const unreadable = findUnreadable(rule, found?.type);
    if (unreadable !== undefined) problems.push({ code: 'invalid_value', path: `${path}.value`, message: unreadable });
    if (found?.type === 'weekday' && isConstant(rule.value) && !weekdays.some((day) => day === rule.value))
      problems.push({ code: 'invalid_value', path: `${path}.value`, message: `must be one of ${weekdays.join(', ')}` });
    return problems;
  }),
];

const findTooManyPatterns = (rules: readonly Rule[]): BlockProblem[] => {
  const most = patternLimits.perBlock;
  return rules.filter(({ op }) => op === 'matches').length <= most
    ? []
    : [{ code: 'too_many_patterns', path: 'rules', message: `must have at most ${most} rules with matches` }];
};

const comparisons: readonly Rule['op'][] = ['is', 'is_not', 'gt', 'gte', 'lt', 'lte'];

/** Why a number, date or time is compared with a constant that is none: the rule never holds, or always does. `is` also reads what people type. */
const findUnreadable = ({ op, value }: Rule, type: PathType | undefined): string | undefined => {
  if (!comparisons.includes(op) || value === undefined || !isConstant(value)) return undefined;
  const problem = findUncomparable(type, value);
  const isTyped = (op === 'is' || op === 'is_not') && findUncomparable(type, foldTyped(String(value))) === undefined;
  return isTyped ? undefined : problem;
};

const isConstant = (value: Rule['value']): boolean => value !== undefined && !String(value).includes('{{');

const namesTag = ({ field, op }: Rule): boolean =>
  op === 'has_tag' ||
  (op === 'contains' && (field === 'tags' || field === 'contact.tags')) ||
  ((op === 'is' || op === 'is_not') && field === 'event.tag.name');

/** The fields and tags that rules name. Names of the system, and what only a run knows, are always there. */
export const usesOfRules = (rules: readonly Rule[]): Reference[] =>
  rules.flatMap((rule, index) => {
    const field: Reference = { path: `rules.${index}.field`, type: 'name', name: rule.field };
    return namesTag(rule) && isConstant(rule.value)
      ? [field, { path: `rules.${index}.value`, type: 'tag' as const, name: String(rule.value) }]
      : [field];
  });

/** Names that have a value where all of these rules hold: of what is replaced as a whole (an event, a json field), no parts. */
export const namesSetBy = (rules: readonly Rule[]): string[] =>
  rules.flatMap((rule) => (needsValue(rule) ? [shortName(rule.field)] : [])).filter((name) => lastingName.test(name));

const lastingName = /^(?:[^.]+|params\..+|reply\.text)$/;

/** Whether it holds only of a field that has a value. */
const needsValue = ({ op, value }: Rule): boolean =>
  op === 'is' ? isConstant(value) && value !== '' : op !== 'is_not' && op !== 'not_set';

/** Names that have a value where none of these rules holds. */
export const namesNotSetBy = (rules: readonly Rule[]): string[] =>
  namesSetBy(rules.flatMap((rule) => (rule.op === 'not_set' ? [{ ...rule, op: 'is_set' as const }] : [])));

export const templatesOfRules = (rules: readonly Rule[]): TemplateUse[] =>
  rules.flatMap(({ op, value: template }, index) =>
    typeof template === 'string' && op !== 'matches'
      ? [{ path: `rules.${index}.value`, template, place: 'value' as const }]
      : [],
  );
