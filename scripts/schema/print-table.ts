import type { Column, Constraint, Index, Table } from './catalog.ts';
import { indexStyle, inOneStyle } from './style.ts';

export type Parts = { columns: readonly Column[]; constraints: readonly Constraint[]; indexes: readonly Index[] };

/** The statements that make a table with its indexes and comments. */
export const printTable = (table: Table, { columns, constraints, indexes }: Parts): string[] => [
  printCreate(table, columns, constraints),
  ...indexes.map(({ definition }) => `${indexStyle(definition)};`),
  ...[
    { on: `table ${table.name}`, comment: table.comment },
    ...columns.map(({ name, comment }) => ({ on: `column ${table.name}.${name}`, comment })),
  ].flatMap(({ on, comment }) => (comment === null ? [] : [`comment on ${on} is '${comment.replaceAll("'", "''")}';`])),
];

/** A constraint with its name, unless PostgreSQL gives it the same one. */
export const printConstraint = ({ name, isUnnamed, definition }: Constraint): string =>
  `${isUnnamed ? '' : `constraint ${name} `}${inOneStyle(definition)}`;

const printCreate = (
  { name, partitionedBy, partitionOf, options }: Table,
  columns: readonly Column[],
  constraints: readonly Constraint[],
): string => {
  if (partitionOf !== null) return `create table ${name} ${inOneStyle(partitionOf)};`;
  const lines = [
    ...columns.map((column) =>
      printColumn(
        column,
        constraints.filter((constraint) => isOf(column, constraint)),
      ),
    ),
    ...constraints.filter((constraint) => !columns.some((column) => isOf(column, constraint))).map(printConstraint),
  ];
  const by = partitionedBy === null ? '' : ` partition by ${inOneStyle(partitionedBy)}`;
  const having = options === null ? '' : ` with (${options.join(', ')})`;
  return `create table ${name} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n)${by}${having};`;
};

/** Whether it stands with this column. */
const isOf = ({ name }: Column, { isUnnamed, columns }: Constraint): boolean =>
  isUnnamed && columns.length === 1 && columns[0] === name;

const printColumn = (
  { name, type, isRequired, expression, generated }: Column,
  constraints: readonly Constraint[],
): string => {
  const own = constraints.map((constraint) =>
    inOneStyle(constraint.definition)
      .replace(/^foreign key \(.*?\) /, '')
      .replace(/^(primary key|unique) \(.*\)$/, '$1'),
  );
  const isKey = own.includes('primary key');
  return [
    name,
    inOneStyle(type),
    ...(isKey ? ['primary key'] : isRequired ? ['not null'] : []),
    ...(expression === null ? [] : [printExpression(inOneStyle(expression), generated)]),
    ...own.filter((constraint) => constraint !== 'primary key'),
  ].join(' ');
};

const printExpression = (expression: string, generated: Column['generated']): string =>
  generated === ''
    ? `default ${expression}`
    : `generated always as (${expression}) ${generated === 's' ? 'stored' : 'virtual'}`;
