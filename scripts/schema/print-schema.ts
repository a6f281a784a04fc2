import { globSync, readFileSync } from 'node:fs';
import type { Sql } from '../../src/shared/platform/db/connect.ts';
import {
  type Constraint,
  readColumns,
  readConstraints,
  readFunctions,
  readIndexes,
  readSequences,
  readTables,
  readTriggers,
  type Table,
} from './catalog.ts';
import { printConstraint, printTable } from './print-table.ts';
import { functionStyle, inOneStyle } from './style.ts';

const head = `-- Today's tables, to be read: nothing runs this file, and \`npm run schema\` writes it. Above each table stand the numbers of the migrations
-- that create and alter it, which have the comments. log_partitions() makes the weekly partitions of the logs, which are left out here.`;

/** The schema of a database as SQL, table by table: the same text for the same schema. Loading it makes that schema. */
export const printSchema = async (sql: Sql): Promise<string> => {
  const tables = await readTables(sql);
  const columns = await readColumns(sql);
  const constraints = await readConstraints(sql);
  const indexes = await readIndexes(sql);
  const migrations = readMigrations();

  const print = (table: Table): string => {
    const own = <Part extends { tableId: number }>(parts: readonly Part[]): Part[] =>
      parts.filter(({ tableId }) => tableId === table.id);
    const early = own(constraints).filter((constraint) => addedBehind(tables, constraint) === undefined);
    const late = constraints.filter((constraint) => addedBehind(tables, constraint) === table.id);
    const numbers = migrations.flatMap(({ number, changes }) => (changes.has(table.name) ? [number] : []));
    return [
      ...(numbers.length === 0 ? [] : [`-- ${numbers.join(', ')}`]),
      ...printTable(table, { columns: own(columns), constraints: early, indexes: own(indexes) }),
      ...late.map((constraint) => `alter table ${nameOf(tables, constraint)} add ${printConstraint(constraint)};`),
    ].join('\n');
  };

  const sequences = (await readSequences(sql)).map(({ name }) => `create sequence ${name};`);
  const functions = (await readFunctions(sql)).map(({ definition }) => functionStyle(definition));
  const triggers = (await readTriggers(sql)).map(({ definition }) => `${inOneStyle(definition)};`);
  // An index of what a function answers needs the function.
  const isIndexed = (definition: string): boolean =>
    indexes.some((index) => index.definition.includes(`${/function (\w+)\(/.exec(definition)?.[1]}(`));
  const first = functions.filter(isIndexed);
  const others = functions.filter((definition) => !isIndexed(definition));
  return `${[head, ...sequences, ...first, ...tables.map(print), ...others, ...triggers].join('\n\n')}\n`;
};

/** The table behind which a constraint is added that cannot be made with its own: one that is not valid, or refers to a later table. */
const addedBehind = (tables: readonly Table[], { tableId, refersTo, definition }: Constraint): number | undefined => {
  if (definition.endsWith(' NOT VALID')) return tableId;
  const placeOf = (wanted: number | null) => tables.findIndex(({ id }) => id === wanted);
  return refersTo !== null && placeOf(refersTo) > placeOf(tableId) ? refersTo : undefined;
};

const nameOf = (tables: readonly Table[], { tableId }: Constraint): string | undefined =>
  tables.find(({ id }) => id === tableId)?.name;

/** The number of each migration, with the tables that it creates or alters. */
const readMigrations = (): { number: string; changes: Set<string> }[] =>
  globSync('migrations/[0-9]*.sql')
    .toSorted()
    .map((file) => ({
      number: file.slice('migrations/'.length).split('_', 1).join(),
      changes: new Set(
        [...readFileSync(file, 'utf8').matchAll(/\b(?:create|alter) table (?:if not exists )?(\w+)/g)].map(
          ([, table = '']) => table,
        ),
      ),
    }));
