import { z } from 'zod';
import type { Json } from '../../custom-fields/values.ts';
import { foldTag } from '../../tags/fold.ts';
import { canonicalTimeZone } from '../../times/time-zone.ts';
import { weightOf } from '../../typed/text.ts';
import { spend, type Budget } from '../templating/budget.ts';
import { renderValue } from '../templating/render-value.ts';
import { isScalar, textOfJson } from '../templating/values.ts';
import { dottedPath, Marker, type Scope } from '../templating/scope.ts';
import { foldOf, isSame, ordered, orderOf, type Comparing } from './compare.ts';
import { matchesPattern } from './patterns.ts';
import { value } from './schemas.ts';
import { findPath, scopeOf } from './scope.ts';
import type { BlockContext } from './context.ts';

/** How a value of the contact is compared with the value of a rule, and for which types of fields that makes sense. */
export type Operator = {
  types?: readonly string[];
  /** It takes no value. */
  alone?: true;
  /** The value is no template. */
  literal?: true;
  /** It spends what it computes itself; of the others the length of what is compared says it. */
  spends?: true;
  /** Undefined where that is more than the block may. */
  holds: (
    left: Json | undefined,
    right: Json | undefined,
    comparing: Comparing & { budget: Budget },
  ) => boolean | undefined;
};

const isThere = (value: Json | undefined): value is Exclude<Json, null> =>
  value !== undefined && value !== null && value !== '';

const compare = (isRight: (order: number) => boolean): Operator => ({
  types: ordered,
  holds: (left, right, comparing) => {
    const order = orderOf(left, right, comparing);
    return order !== undefined && isRight(order);
  },
});

const contains: Operator['holds'] = (left, right, { v }) => {
  const searched = foldOf(right, v);
  if (searched === undefined || searched === '') return false;
  return Array.isArray(left)
    ? left.some((item) => foldOf(item, v) === searched)
    : (foldOf(left, v)?.includes(searched) ?? false);
};

/** By the names of tags, as they are told apart when one is put on a contact. */
const hasTag = (tags: Json | undefined, name: Json | undefined): boolean => {
  if (!Array.isArray(tags) || name === undefined || !isScalar(name)) return false;
  const folded = foldTag(String(name));
  return tags.some((tag) => typeof tag === 'string' && foldTag(tag) === folded);
};

export const operators = {
  is: { holds: isSame },
  is_not: { holds: (left, right, comparing) => !isSame(left, right, comparing) },
  contains: { types: ['text', 'list'], holds: contains },
  starts_with: {
    types: ['text'],
    holds: (left, right, { v }) => {
      const beginning = foldOf(right, v) ?? '';
      return beginning !== '' && (foldOf(left, v)?.startsWith(beginning) ?? false);
    },
  },
  gt: compare((order) => order > 0),
  gte: compare((order) => order >= 0),
  lt: compare((order) => order < 0),
  lte: compare((order) => order <= 0),
  is_set: { alone: true, holds: isThere },
  not_set: { alone: true, holds: (left) => !isThere(left) },
  has_tag: { types: ['list'], holds: hasTag },
  matches: {
    types: ['text'],
    literal: true,
    spends: true,
    holds: (left, right, { budget }) =>
      isThere(left) && isScalar(left) && matchesPattern(textOfJson(right), textOfJson(left), budget),
  },
} as const satisfies Record<string, Operator>;

type OperatorName = keyof typeof operators;

const isOperator = (name: string): name is OperatorName => Object.hasOwn(operators, name);

const ruleSchema = z.strictObject({
  field: z.string().min(1).max(200).overwrite(dottedPath).meta({
    description:
      "A field, or `tags`, `channel`, `language`, `params.…`, `reply.text`, `event.…`, `now`, and on the contact's clock `now.date`, `now.time`, `now.weekday`.",
  }),
  op: z
    .enum(Object.keys(operators).filter(isOperator))
    .meta({ description: 'How they are compared: flows.md, Blocks.' }),
  value: value.optional().meta({
    description:
      'The value to compare with, with placeholders; for `matches`, a regular expression without them. `is_set` and `not_set` have none.',
  }),
});

export type Rule = z.output<typeof ruleSchema>;

export const rulesSchema = z.array(ruleSchema).min(1).max(20);

type BlockScope = Scope & { budget: Budget };

/**
 * Whether a rule holds; undefined where that takes more than the block may compute. Nothing but `is_not` and `not_set` holds of a field that has
 * no value.
 */
const holds = (
  { field, op, value: template }: Rule,
  scope: BlockScope,
  { fields, v }: BlockContext,
): boolean | undefined => {
  const operator: Operator = operators[op];
  const found = scope.find(field);
  const left = found instanceof Marker ? undefined : found;
  const right = operator.literal ? template : rightOf(template, scope);
  const [a, b] =
    (op === 'is' || op === 'is_not') && timeZonePaths.has(field) ? [left, right].map(canonical) : [left, right];
  const { budget, timeZone } = scope;
  if (!spend(budget, comparedUnits(operator, a, b))) return undefined;
  return operator.holds(a, b, { timeZone, type: findPath(field, fields)?.type, v, budget });
};

/** What it takes to compare two values, in units of a budget, beyond what the operator spends itself. */
export const comparedUnits = ({ spends, alone }: Operator, left: Json | undefined, right: Json | undefined): number =>
  spends || alone ? 0 : unitsOf(left) + unitsOf(right);

/** What a value takes to be compared, in units of a budget. */
const unitsOf = (value: Json | undefined): number =>
  [value].flat().reduce<number>((sum, item) => sum + (typeof item === 'string' ? weightOf(item) : 0), 0);

/** Names of time zones: all names of one zone are the same to `is`. */
const timeZonePaths: ReadonlySet<string> = new Set(['time_zone', 'contact.time_zone', 'account.time_zone']);

const canonical = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' ? canonicalTimeZone(value.trim()) : value;

/** Whether all rules hold, or any of them; undefined where that takes more than the block may compute. */
export const hold = (rules: readonly Rule[], match: 'all' | 'any', context: BlockContext): boolean | undefined => {
  const scope = scopeOf(context);
  for (const rule of rules) {
    const is = holds(rule, scope, context);
    if (is === undefined || is === (match === 'any')) return is;
  }
  return match === 'all';
};

/**
 * Which meaning blocks with rules have. 2: `is` compares a text as text, texts are compared as `foldTyped` reads them, and every time without a
 * zone is on the contact's clock.
 */
export const meaningOfRules = 2;

const rightOf = (template: Rule['value'], scope: Scope): Json | undefined => {
  if (typeof template !== 'string') return template;
  const rendered = renderValue(template, scope);
  return rendered.ok ? rendered.value : undefined;
};
