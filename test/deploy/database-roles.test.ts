import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase } from '../../src/shared/platform/db/connect.ts';
import { migrate } from '../../src/shared/platform/db/migrate.ts';
import { type EmbeddedPostgres, startPostgres } from '../../src/shared/platform/embedded/postgres.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

const script = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../deploy/postgres/${name}`, import.meta.url)), 'utf8');

let folder: string;
let server: EmbeddedPostgres;
/** As the superuser, which in a folder of 0.2 owns everything. */
let asSuperuser: (database: string) => postgres.Sql;
const open: postgres.Sql[] = [];

const connect = (user: string, database: string): postgres.Sql => {
  const host = decodeURIComponent(new URL(server.database).hostname);
  const sql = postgres({
    host,
    user,
    database,
    password: `${user}-password`,
    max: 1,
    fetch_types: false,
    onnotice: () => {},
  });
  open.push(sql);
  return sql;
};

/** What deploy/postgres/set-up-roles.sh has psql do. */
const setUpRoles = async (): Promise<void> => {
  const admin = asSuperuser('postgres');
  await admin`select set_config('setup.parley_password', 'parley_service-password', false),
    set_config('setup.temporal_password', 'temporal-password', false)`;
  await admin.unsafe(script('roles.sql'));
  for (const [database, owner] of [
    ['parley', 'parley_service'],
    ['temporal', 'temporal'],
    ['temporal_visibility', 'temporal'],
  ] as const) {
    const sql = asSuperuser(database);
    await sql`select set_config('setup.owner', ${owner}, false)`;
    await sql.unsafe(script('hand-over.sql'));
  }
};

/** A cluster as docker compose of 0.2 has it: the superuser parley owns all databases and what is in them. */
beforeAll(async () => {
  folder = tempFolder('roles');
  server = await startPostgres({ dataDir: folder, log: () => {}, durable: false });
  asSuperuser = (database) => connect('parley', database);
  const old = connectDatabase(server.database, { max: 2 });
  await migrate(old);
  await old.end();
  for (const name of ['temporal', 'temporal_visibility']) {
    await server.createDatabase(name);
    await asSuperuser(name).unsafe(`
      create extension btree_gin;
      create table executions (shard_id int primary key, data text);
      create table numbered (id bigserial primary key, at timestamptz);
      insert into executions values (1, 'from before');
      create function twice(n int) returns int language sql as 'select 2 * n';
      create type state as enum ('on', 'off');
      create view looked_at as select * from executions`);
  }
});
afterAll(async () => {
  await Promise.all(open.map((sql) => sql.end({ timeout: 1 })));
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const owners = async (database: string): Promise<string[]> => {
  const rows = await asSuperuser(database)<{ owner: string }[]>`
    select distinct owner from (
      select relowner::regrole::text as owner from pg_class where relnamespace = 'public'::regnamespace
      union all select proowner::regrole::text from pg_proc where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
      union all select typowner::regrole::text from pg_type where typnamespace = 'public'::regnamespace
        and not exists (select from pg_depend where objid = pg_type.oid and deptype = 'e')
      union all select datdba::regrole::text from pg_database where datname = current_database()) as owned`;
  return rows.map(({ owner }) => owner);
};

test('the data of 0.2 is handed over whole, and again when the older version has made something since', async () => {
  await setUpRoles();
  expect(await owners('parley')).toEqual(['parley_service']);
  expect(await owners('temporal')).toEqual(['temporal']);
  expect(await owners('temporal_visibility')).toEqual(['temporal']);

  await asSuperuser('parley')`select log_partitions('2099-01-05', '2099-01-05')`;
  expect(await owners('parley')).toEqual(expect.arrayContaining(['parley', 'parley_service']));
  await setUpRoles();
  expect(await owners('parley')).toEqual(['parley_service']);
});

test('each role reads, writes and migrates what is its own', async () => {
  const parley = connect('parley_service', 'parley');
  await parley`delete from migrations where name = (select max(name) from migrations)`;
  await parley`select log_partitions('2099-02-02', '2099-02-02')`;
  await parley`select * from deliveries limit 1`;
  const temporal = connect('temporal', 'temporal');
  expect(await temporal`select data from executions`).toEqual([{ data: 'from before' }]);
  await temporal.unsafe('alter table executions add column more int; create table further (id int)');
  await temporal`insert into numbered (at) values (now())`;
});

test('a database that is new is migrated by its role alone', async () => {
  await asSuperuser('postgres').unsafe('create database parley_new owner parley_service');
  const url = server.database
    .replace('postgres://parley@', 'postgres://parley_service@')
    .replace(/parley$/, 'parley_new');
  const db = connectDatabase(url, { max: 2 });
  try {
    expect((await migrate(db)).length).toBeGreaterThan(5);
  } finally {
    await db.end();
  }
});

test('neither role reaches the databases of the other, nor anything of the superuser', async () => {
  for (const [user, database] of [
    ['parley_service', 'temporal'],
    ['parley_service', 'temporal_visibility'],
    ['temporal', 'parley'],
    ['parley_service', 'postgres'],
    ['temporal', 'postgres'],
    ['temporal', 'template1'],
  ] as const) {
    await expect(connect(user, database)`select 1`, `${user} in ${database}`).rejects.toThrow(
      /permission denied for database/,
    );
  }
  const parley = connect('parley_service', 'parley');
  await expect(parley.unsafe('create role other')).rejects.toThrow('permission denied');
  await expect(parley.unsafe('create database other')).rejects.toThrow('permission denied');
  await expect(parley.unsafe("copy (select 1) to program 'true'")).rejects.toThrow('permission denied');
  await expect(parley.unsafe('set role parley')).rejects.toThrow('permission denied');
});
