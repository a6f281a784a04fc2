import { afterAll, beforeAll, expect, test } from 'vitest';
import { printSchema } from '../../scripts/schema/print-schema.ts';
import type { Sql } from '../../src/shared/platform/db/connect.ts';
import { migrate } from '../../src/shared/platform/db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';

let migrated: TestDatabase;
let loaded: TestDatabase;
let other: TestDatabase;

beforeAll(async () => {
  migrated = await createTestDatabase({ migrated: false });
  await migrate(migrated.db);
  loaded = await createTestDatabase({ migrated: false });
  other = await createTestDatabase({ migrated: false });
});

afterAll(async () => {
  await migrated.drop();
  await loaded.drop();
  await other.drop();
});

test('migrations/schema.sql is what the migrations make; npm run schema writes it', async () => {
  await expect(await printSchema(migrated.db)).toMatchFileSnapshot('../../migrations/schema.sql');
});

test('loading migrations/schema.sql makes the schema of the migrations', async () => {
  const schema = await printSchema(migrated.db);
  await loaded.db.unsafe(schema);
  expect(await printSchema(loaded.db)).toBe(schema);
  expect(await readInformation(loaded.db)).toEqual(await readInformation(migrated.db));
});

test('the printed schema has references in a circle, comments and names, and what is not valid', async () => {
  await loaded.db.unsafe(`
    create table hens (
      id uuid primary key, "position" integer, name text constraint has_name check (name <> 'NONE'), weight numeric(6,2),
      twice numeric generated always as (weight * 2) stored) with (fillfactor = 70);
    create table eggs (id uuid primary key, hen_id uuid references hens);
    alter table hens add egg_id uuid references eggs on delete set null, add check (weight > 0) not valid;
    comment on table hens is 'Who came first isn''t known.';
    comment on column eggs.hen_id is 'Who laid it.';`);
  const schema = await printSchema(loaded.db);
  expect(schema).toContain('alter table hens add foreign key (egg_id) references eggs(id) on delete set null;');
  expect(schema).toContain('alter table hens add check (weight > 0::numeric) not valid;');
  expect(schema).toContain("comment on table hens is 'Who came first isn''t known.';");
  expect(schema).toContain("comment on column eggs.hen_id is 'Who laid it.';");
  await other.db.unsafe(schema);
  expect(await printSchema(other.db)).toBe(schema);
  expect(await readInformation(other.db)).toEqual(await readInformation(loaded.db));
});

/** The schema as the standard's views tell it, whatever the printer knows of. */
const readInformation = async (sql: Sql) => ({
  tables: await sql`
    select table_name, table_type from information_schema.tables
    where table_schema = 'public' and table_name !~ '_[0-9]{8}$' order by 1`,
  columns: await sql`
    select table_name, column_name, column_default, is_nullable, data_type, udt_name, character_maximum_length, numeric_precision, numeric_scale,
      datetime_precision, collation_name, is_identity, identity_generation, is_generated, generation_expression
    from information_schema.columns where table_schema = 'public' and table_name !~ '_[0-9]{8}$' order by 1, 2`,
  constraints: await sql`
    select conrelid::regclass, conname, contype, condeferrable, condeferred, convalidated, confupdtype, confdeltype, pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'public'::regnamespace and conparentid = 0 and conislocal and conrelid::regclass::text !~ '_[0-9]{8}$' order by 1, 2`,
  indexes: await sql`
    select tablename, indexname, indexdef from pg_indexes
    where schemaname = 'public' and tablename !~ '(_[0-9]{8}|_default)$' order by 1, 2`,
  routines: await sql`
    select routine_name, data_type, routine_definition, external_language, is_deterministic, security_type
    from information_schema.routines where specific_schema = 'public' order by 1`,
  triggers: await sql`select trigger_name, action_statement from information_schema.triggers order by 1, 2`,
  sequences: await sql`select * from pg_sequences where schemaname = 'public' order by sequencename`,
  types: await sql`
    select typname, typtype from pg_type
    where typnamespace = 'public'::regnamespace and typname !~ '_[0-9]{8}$' order by typname`,
});
