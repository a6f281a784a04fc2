import { z } from 'zod';
import { readRules } from '../custom-fields/queries.ts';
import { coerceValue, type FieldDefinition, type FieldType, type FieldValue } from '../custom-fields/values.ts';
import { invalid, type Problem } from '../errors.ts';
import type { Fragment, Sql } from '../platform/db/connect.ts';
import { unreachable } from '../unreachable.ts';
import { operators, operatorsOf, type Comparison, type Operator } from './operators.ts';

/** A condition on a custom field as a query has it: `size:eq:M`. */
export const askedCondition = z
  .string()
  .max(600)
  .transform((text, ctx) => {
    const [, key = '', name = '', value = ''] = /^([^:]*):([^:]*)(?::(.*))?$/s.exec(text) ?? [];
    const operator = operators.find((known) => known === name);
    if (operator) return { key, operator, value };
    ctx.addIssue({
      code: 'custom',
      message: `must be key:operator:value, with an operator of ${operators.join(', ')}`,
    });
    return z.NEVER;
  })
  .meta({
    description: `\`key:operator:value\`, of the field's type. eq, ne (anything else, or nothing), gt, gte, lt and lte for numbers, dates and times (without a zone: in that of the account); contains for a part of a text in any letter case, or an item of a list; \`key:exists:true\` or \`key:exists:false\`.`,
    example: 'size:eq:M',
  });

type Asked = z.infer<typeof askedCondition>;

/** A condition of which the type of its field is known. */
export type FieldCondition = { key: string; operator: Operator; type: FieldType; value: FieldValue };

/** The conditions with values of their fields' types. Throws `invalid_request` with every problem. */
export const readConditions = async (
  sql: Sql,
  accountId: string,
  asked: readonly Asked[],
): Promise<FieldCondition[]> => {
  if (asked.length === 0) return [];
  const { known, timeZone } = await readRules(
    sql,
    accountId,
    asked.map(({ key }) => key),
  );
  const problems: Problem[] = [];
  const conditions = asked.flatMap((one, index): FieldCondition[] => {
    const { key, operator } = one;
    const read = readValue(known.get(key), one, timeZone);
    if ('value' in read) return [{ key, operator, ...read }];
    problems.push({ path: `field.${index}`, message: read.problem });
    return [];
  });
  if (problems.length > 0) throw invalid(problems);
  return conditions;
};

const readValue = (
  definition: FieldDefinition | undefined,
  { operator, value }: Asked,
  timeZone: string,
): { type: FieldType; value: FieldValue } | { problem: string } => {
  if (!definition) return { problem: 'is no custom field of this account' };
  const { type } = definition;
  if (!operatorsOf[type].includes(operator)) return { problem: `is of type ${type}: ${operatorsOf[type].join(', ')}` };
  // Contacts may have texts that are no option any more.
  const asked =
    operator === 'exists' ? ({ ...definition, type: 'boolean' } as const) : { ...definition, options: null };
  const read = coerceValue(asked, operator === 'exists' && value === '' ? 'true' : value, timeZone);
  return read.ok ? { type, value: read.value } : { problem: read.problem };
};

/** SQL: whether a contact meets the condition. Only `eq`, and `contains` of a list, may be read from an index. */
export const meets = (sql: Sql, { key, operator, type, value }: FieldCondition): Fragment => {
  const has = sql`(custom_fields @> ${sql.json({ [key]: value })} and custom_fields <> '{}')`;
  const json = sql`(custom_fields -> ${key}::text)`;
  const text = sql`(custom_fields ->> ${key}::text)`;
  const given = sql`(${sql.json(value)}::jsonb #>> '{}')`;
  switch (operator) {
    case 'eq':
      return has;
    case 'ne':
      return sql`not ${has}`;
    case 'exists':
      return sql`jsonb_exists(custom_fields, ${key}) = ${value === true}`;
    case 'contains':
      return type === 'list' ? has : sql`strpos(lower(${text}), lower(${given})) > 0`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      // What no index serves is one expression: of several PostgreSQL would believe that hardly anybody meets all, and read everybody first.
      return type === 'number'
        ? sql`case when jsonb_typeof(${json}) = 'number' then ${json} ${sign(sql)[operator]} ${sql.json(value)} else false end`
        : sql`${text} collate "C" ${sign(sql)[operator]} ${given}`;
    default:
      return unreachable(operator);
  }
};

const sign = (sql: Sql): Record<Comparison, Fragment> => ({ gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` });
