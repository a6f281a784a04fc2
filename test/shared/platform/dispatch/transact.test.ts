import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAutocommit, createTransact, type Transact } from '../../../../src/shared/platform/dispatch/transact.ts';
import { withDeadline } from '../../../../src/shared/platform/deadline.ts';
import type { WorkItem, WorkRow } from '../../../../src/shared/platform/dispatch/work.ts';
import { newUuid } from '../../../../src/shared/ids.ts';
import { startApi, type TestApi } from '../../../helpers/api.ts';
import { createTestDatabase, untilSomebodyWaits, type TestDatabase } from '../../../helpers/database.ts';
import { holdLock } from '../../../helpers/locks.ts';
import { mailWork } from '../../../../src/shared/mail/work.ts';

describe('a transaction', () => {
  let database: TestDatabase;
  let transact: Transact;
  const dispatched: WorkItem[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    transact = createTransact(database.db, (items) => dispatched.push(...items));
    await database.db`create table things (id int primary key, changes int not null default 0)`;
    await database.db`insert into things (id) values (1), (2)`;
  });
  beforeEach(() => {
    dispatched.length = 0;
  });
  afterAll(() => database.drop());

  const aMail = () => ({ id: newUuid(), accountId: newUuid(), resumes: 0 });

  test('that is given up in a deadlock runs again, and dispatches only what the second try asks', async () => {
    const firsts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const bothHoldOne = Promise.all(firsts.map(({ promise }) => promise));
    let runs = 0;
    const change = (order: number[], index: number) => {
      const mails: WorkRow[] = [];
      return transact(async ({ sql, start }) => {
        runs += 1;
        const mail = aMail();
        mails.push(mail);
        start(mailWork, mail);
        const [first = 0, second = 0] = order;
        await sql`update things set changes = changes + 1 where id = ${first}`;
        firsts[index]?.resolve();
        await bothHoldOne;
        await sql`update things set changes = changes + 1 where id = ${second}`;
        return mails.at(-1);
      });
    };
    const committed = await Promise.all([change([1, 2], 0), change([2, 1], 1)]);
    expect(runs).toBe(3);
    expect(dispatched).toHaveLength(2);
    expect(new Set(dispatched.map(({ row }) => row))).toEqual(new Set(committed));
    expect(await database.db`select changes from things`).toEqual([{ changes: 2 }, { changes: 2 }]);
  });

  test.each(['40P01', '40001'])('that is given up with %s each time fails after a few tries', async (code) => {
    let runs = 0;
    const failing = transact(async ({ sql }) => {
      runs += 1;
      await sql.unsafe(`do $$ begin raise exception 'given up' using errcode = '${code}'; end $$`);
    });
    await expect(failing).rejects.toMatchObject({ code });
    expect(runs).toBe(4);
  });

  test('of one statement that commits by itself is run again, too', async () => {
    let runs = 0;
    const autocommit = createAutocommit(database.db, (items) => dispatched.push(...items));
    await autocommit(async ({ sql, start }) => {
      runs += 1;
      start(mailWork, aMail());
      if (runs < 3) await sql.unsafe(`do $$ begin raise exception 'given up' using errcode = '40P01'; end $$`);
    });
    expect({ runs, dispatched: dispatched.length }).toEqual({ runs: 3, dispatched: 1 });
  });

  test('that is given up in a statement that nobody waits for runs again, whatever else is sent after it', async () => {
    let runs = 0;
    const failing = transact(async ({ sql, write }) => {
      runs += 1;
      write(sql.unsafe(`do $$ begin raise exception 'given up' using errcode = '40P01'; end $$`));
      await sql`select from things`;
    });
    await expect(failing).rejects.toMatchObject({ code: '40P01' });
    expect(runs).toBe(4);
  });

  test('commits a statement that nobody waits for, and the next one sees what it has written', async () => {
    const seen = await transact(async ({ sql, write }) => {
      write(sql`insert into things (id) values (10)`);
      const rows = await sql`select id from things where id = 10`;
      write(sql`update things set changes = 7 where id = 10`);
      return rows.length;
    });
    expect(seen).toBe(1);
    expect(await database.db`select changes from things where id = 10`).toEqual([{ changes: 7 }]);
  });

  test('whose last statement fails is rolled back, though nobody waits for it, and dispatches nothing', async () => {
    const failing = transact(async ({ sql, start, write }) => {
      await sql`insert into things (id) values (20)`;
      start(mailWork, aMail());
      write(sql`insert into things (id) values (1)`);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await database.db`select from things where id = 20`).toHaveLength(0);
    expect(dispatched).toHaveLength(0);
  });

  test('goes on after a savepoint in which a statement failed that nobody waits for', async () => {
    await transact(async ({ sql, savepoint }) => {
      await sql`insert into things (id) values (30)`;
      const undone = savepoint(async (inner) => {
        inner.write(inner.sql`insert into things (id) values (31)`);
        inner.write(inner.sql`insert into things (id) values (1)`);
      });
      await expect(undone).rejects.toMatchObject({ code: '23505' });
    });
    expect(await database.db`select id from things where id in (30, 31)`).toEqual([{ id: 30 }]);
  });

  test('that loses its connection ends, though statements that nobody waits for were never sent', async () => {
    const lock = await holdLock(database.db, (sql) => sql`lock table things in access exclusive mode`);
    const failing = transact(async ({ sql, write }) => {
      // Planned for the first time, which waits for the table. The next one is sent only after that.
      write(sql`insert into things (id, changes) values (${40}, 1)`);
      write(sql`insert into things (id, changes) values (${41}, 2)`);
    });
    const ended = withDeadline(20_000, 'the transaction', () => failing);
    ended.catch(() => {});
    await untilSomebodyWaits(database.db);
    await lock.release();
    await expect(ended).rejects.not.toMatchObject({ code: 'ETIMEOUT' });
    expect(await database.db`select from things where id in (40, 41)`).toHaveLength(0);
  });

  test('that fails for any other reason is not run again', async () => {
    let runs = 0;
    const failing = transact(async ({ sql }) => {
      runs += 1;
      await sql`insert into things (id) values (1)`;
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(runs).toBe(1);
  });
});

describe('a request', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
    await api.db`create sequence tries`;
    await api.db`create table given_up (tries int not null)`;
    await api.db.unsafe(`
      create function give_up() returns trigger language plpgsql as $$
      begin
        if nextval('tries') <= (select tries from given_up) then
          raise exception 'given up' using errcode = '40P01';
        end if;
        return new;
      end $$;
      create trigger give_up before insert on contacts for each row execute function give_up()`);
  });
  afterAll(() => api.stop());

  /** Creates a contact while its first so many tries are given up. */
  const createContact = async (tries: number) => {
    await api.db`delete from given_up`;
    await api.db`insert into given_up values (${tries})`;
    await api.db`select setval('tries', 1, false)`;
    const { apiKey: key } = await api.createAccount();
    const headers = { 'idempotency-key': newUuid() };
    return api.request('POST', '/v1/contacts', { key, headers, body: { first_name: 'Ann' } });
  };

  test('whose transaction is given up at first is carried out once', async () => {
    expect((await createContact(3)).status).toBe(201);
    expect(await api.db`select from contacts`).toHaveLength(1);
  });

  test('whose transaction is given up each time gets 503 with Retry-After, never 500', async () => {
    const answer = await createContact(100);
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect(answer.headers['retry-after']).toBe('5');
  });
});
