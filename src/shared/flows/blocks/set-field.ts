import { z } from 'zod';
import type { FieldType, Json } from '../../custom-fields/values.ts';
import { addDecimals, readNumber } from '../../platform/json/decimals.ts';
import { ExactNumber } from '../../platform/json/exact-number.ts';
import { unreachable } from '../../unreachable.ts';
import { renderValue } from '../templating/render-value.ts';
import { Marker } from '../templating/scope.ts';
import { isScalar } from '../templating/values.ts';
import type { Block, BlockProblem, Known, Write } from './block.ts';
import { coerceField, fieldsOf, fieldTypeOf, usesField, type CoercedField } from './fields.ts';
import { blockSchema, fieldName, value } from './schemas.ts';
import { scopeOf } from './scope.ts';
import type { BlockContext } from './context.ts';

const schema = blockSchema(
  'set_field',
  {
    field: fieldName,
    op: z.enum(['set', 'increment', 'append', 'remove']).default('set').meta({
      description: '`increment` adds to a number, which begins at 0; `append` and `remove` are for lists.',
    }),
    value: value.meta({
      description:
        'A text with placeholders, a number, true or false, made into the type of the field. An empty one clears it.',
    }),
  },
  ['default'],
);

type SetField = z.output<typeof schema>;

export const setField: Block<SetField> = {
  type: 'set_field',
  v: 2,
  summary: 'Writes a field of the contact.',
  schema,
  ports: () => [{ name: 'default', omitted: 'following' }],
  uses: ({ field }) => usesField('field', field),
  templates: ({ op, value: template }) =>
    typeof template === 'string'
      ? [{ path: 'value', template, place: 'value', ...(op === 'set' && { takesNothing: true as const }) }]
      : [],
  writes: (config) => [{ port: 'default', name: config.field, leaves: leavesOf(config) }],
  check: (config, known) => findProblems(config, known),
  enter: (config, context) => {
    const set = newValue(config, context);
    // Nothing is written of what the field cannot hold; a run that went on would go on with the old value.
    if (!set.ok) return { type: 'fail', reason: 'invalid_value' };
    return { type: 'go', port: 'default', effects: [{ type: 'set_field', key: config.field, value: set.value }] };
  },
};

const leavesOf = ({ field, op, value: template }: SetField): Write['leaves'] => {
  if (op === 'remove') return 'maybe_nothing';
  if (op === 'increment' || typeof template !== 'string') return 'a_value';
  return { like: op === 'append' ? `{{${field}}}${template}` : template };
};

const newValue = ({ field, op, value: template }: SetField, context: BlockContext): CoercedField => {
  const known = fieldsOf(context);
  const scope = scopeOf(context);
  const rendered = typeof template === 'string' ? renderValue(template, scope) : { ok: true as const, value: template };
  if (!rendered.ok) return { ok: false, problem: rendered.problem.message };
  const { value: given } = rendered;
  const now = scope.find(field);
  switch (op) {
    case 'set':
      return coerceField(known, field, given);
    case 'increment': {
      const by = numberOf(given);
      const from = typeof now === 'number' || now instanceof ExactNumber ? numberOf(now) : 0;
      const sum = by === undefined || from === undefined ? undefined : addDecimals(from, by);
      return sum === undefined ? { ok: false, problem: 'needs a number' } : coerceField(known, field, sum);
    }
    case 'append':
    case 'remove': {
      const list = listOf(now);
      const items = listOf(given);
      const changed = op === 'append' ? [...list, ...items] : list.filter((item) => !items.includes(item));
      return coerceField(known, field, changed.length === 0 ? null : changed);
    }
    default:
      return unreachable(op);
  }
};

/** A number that has a double, also where it is written as text. */
const numberOf = (value: Json | Marker | undefined): number | undefined => {
  const isText = typeof value === 'string' && value.trim() !== '';
  const isNumber = typeof value === 'number' || value instanceof ExactNumber;
  return isText || isNumber ? readNumber(String(value).trim()) : undefined;
};

/** Items of a list, or a single one; a list within it is left to be refused. */
const listOf = (value: Json | Marker | undefined): Json[] => {
  if (value === undefined || value === null || value === '' || value instanceof Marker) return [];
  return [value].flat().map((item) => (isScalar(item) ? String(item) : item));
};

const typeByOp: Readonly<Record<SetField['op'], FieldType | undefined>> = {
  set: undefined,
  increment: 'number',
  append: 'list',
  remove: 'list',
};

const findProblems = (
  { field, op, value: template }: SetField,
  { fields, country }: Pick<Known, 'fields' | 'country'>,
): BlockProblem[] => {
  const type = fieldTypeOf(fields, field);
  const needed = typeByOp[op];
  if (type === undefined) return [];
  if (needed !== undefined && needed !== type)
    return [
      {
        code: 'wrong_type',
        path: 'op',
        message: `${op} is for fields of type ${needed}, and ${field} is of type ${type}`,
      },
    ];
  return op === 'set' && isConstant(template) ? findConstantProblem({ fields, country }, field, template) : [];
};

const isConstant = (template: Json): boolean => typeof template !== 'string' || !template.includes('{{');

const findConstantProblem = (
  known: Pick<Known, 'fields' | 'country'>,
  field: string,
  constant: Json,
): BlockProblem[] => {
  // Whether it is one does not depend on the zone.
  const coerced = coerceField({ ...known, timeZone: 'UTC' }, field, constant);
  return coerced.ok ? [] : [{ code: 'invalid_value', path: 'value', message: coerced.problem }];
};
