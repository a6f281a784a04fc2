import type { Sql } from '../../src/shared/platform/db/connect.ts';

export type Table = {
  id: number;
  name: string;
  comment: string | null;
  /** As in `range (id)`; null for a table that is not partitioned. */
  partitionedBy: string | null;
  /** As in `partition of events default`; null for a table of its own. */
  partitionOf: string | null;
  /** As in `fillfactor=80`. */
  options: string[] | null;
};

/** Tables in the order in which they were made. The weeks of the logs are none: their number follows from the day. */
export const readTables = (sql: Sql): Promise<Table[]> => sql<Table[]>`
  select c.oid::int as id, c.relname as name, obj_description(c.oid, 'pg_class') as comment, c.reloptions as options,
    pg_get_partkeydef(c.oid) as partitioned_by,
    (select format('partition of %I %s', i.inhparent::regclass, pg_get_expr(c.relpartbound, c.oid))
      from pg_inherits i where i.inhrelid = c.oid) as partition_of
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and (not c.relispartition or pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT')
  order by c.oid`;

export type Column = {
  tableId: number;
  name: string;
  type: string;
  isRequired: boolean;
  expression: string | null;
  generated: '' | 's' | 'v';
  comment: string | null;
};

/** The columns of all tables, in their order. */
export const readColumns = (sql: Sql): Promise<Column[]> => sql<Column[]>`
  select a.attrelid::int as table_id, quote_ident(a.attname) as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as is_required,
    pg_get_expr(d.adbin, d.adrelid, true) as expression, a.attgenerated as generated, col_description(a.attrelid, a.attnum) as comment
  from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
  order by a.attrelid, a.attnum`;

export type Constraint = {
  tableId: number;
  name: string;
  columns: string[];
  definition: string;
  refersTo: number | null;
  /** Whether it has the name that PostgreSQL gives to one without a name. */
  isUnnamed: boolean;
};

/** Constraints but those of single columns to be not null: the keys first, then checks, then references. */
export const readConstraints = (sql: Sql): Promise<Constraint[]> => sql<Constraint[]>`
  select table_id, name, columns, definition, refers_to,
    name in (table_name || '_pkey', concat_ws('_', table_name, array_to_string(columns, '_'), suffix)) as is_unnamed
  from (
    select k.conrelid::int as table_id, k.conname as name, c.relname as table_name, k.contype as type,
      pg_get_constraintdef(k.oid, true) as definition, nullif(k.confrelid, 0)::int as refers_to,
      case k.contype when 'u' then 'key' when 'c' then 'check' when 'f' then 'fkey' end as suffix,
      array(
        select a.attname::text from unnest(k.conkey) with ordinality as part (number, place)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = part.number order by place) as columns
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.connamespace = 'public'::regnamespace and k.contype <> 'n' and k.conislocal and k.conparentid = 0
  ) as local
  order by array_position(array['p', 'u', 'x', 'c', 'f']::"char"[], type), name`;

export type Index = { tableId: number; name: string; definition: string };

/** Indexes but those that a constraint makes, and the parts of one that a partition has. */
export const readIndexes = (sql: Sql): Promise<Index[]> => sql<Index[]>`
  select i.indrelid::int as table_id, c.relname as name, pg_get_indexdef(c.oid, 0, true) as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = 'public'::regnamespace and not c.relispartition
    and not exists (select from pg_constraint k where k.conindid = c.oid and k.contype in ('p', 'u', 'x'))
  order by c.relname`;

export type Trigger = { name: string; definition: string };

/** Triggers but those of constraints, by their names, with what creates each. */
export const readTriggers = (sql: Sql): Promise<Trigger[]> => sql<Trigger[]>`
  select t.tgname as name, pg_get_triggerdef(t.oid, true) as definition from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not t.tgisinternal order by t.tgname`;

/** Functions by their names, with what creates each. */
export const readFunctions = (sql: Sql): Promise<{ definition: string }[]> => sql<{ definition: string }[]>`
  select pg_get_functiondef(p.oid) as definition from pg_proc p
  where p.pronamespace = 'public'::regnamespace order by p.proname, p.oid`;

/** Sequences by their names. */
export const readSequences = (sql: Sql): Promise<{ name: string }[]> => sql<{ name: string }[]>`
  select sequencename as name from pg_sequences where schemaname = 'public' order by sequencename`;
