import { beforeEach, describe, expect, test } from 'vitest';
import { takeFields } from '../../src/shared/custom-fields/take-fields.ts';
import { readId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { untilSomebodyWaits } from '../helpers/database.ts';
import { setUndefinedFields } from '../helpers/states/conversations.ts';
import { insertFlowByUses } from '../helpers/states/flows.ts';
import { untold } from '../helpers/untold.ts';

type Field = { id: string; key: string; name: string; type: string; options: string[] | null; default: unknown };
type Contact = { id: string; custom_fields: Record<string, unknown> };
type Refusal = { error: { code: string; message: string; details?: { path: string; message: string }[] } };

const api = await useApi();
let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
});

const as = <Body>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body>(method, path, { key, body });

const define = (body: object) => as<Field>('POST', '/v1/custom-fields', { name: 'A field', ...body });
const createContact = (custom_fields: object) => as<Contact>('POST', '/v1/contacts', { custom_fields });

/** All definitions, from the newest on: key and type. */
const definitions = async () =>
  (await as<{ data: Field[] }>('GET', '/v1/custom-fields?limit=200')).body.data.map(({ key, type }) => [key, type]);

const problemsOf = ({ body }: { body: unknown }) => (body as Refusal).error.details?.map(({ path }) => path).toSorted();

const beStrict = () => as('PATCH', '/v1/account', { strict_fields: true });

describe('a definition', () => {
  test('is created, read, listed, changed and deleted, behind both doors', async () => {
    const asked = { key: 'size', name: 'Size', type: 'text', options: ['S', 'M'], default: 'M' };
    const created = await define(asked);
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      ...asked,
      id: expect.stringMatching(/^fld_/),
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    const path = `/custom-fields/${created.body.id}`;
    expect((await as('GET', `/v1${path}`)).body).toEqual(created.body);
    const inDashboard = await api.request('GET', `/dashboard/api${path}`, { session: account.session });
    expect(inDashboard.body).toEqual(created.body);
    expect(await definitions()).toEqual([['size', 'text']]);
    const changed = await as<Field>('PATCH', `/v1${path}`, {
      name: 'Shirt size',
      options: ['S', 'M', 'L'],
      default: null,
    });
    expect(changed.body).toMatchObject({ name: 'Shirt size', options: ['S', 'M', 'L'], default: null, key: 'size' });
    expect((await as<Field>('PATCH', `/v1${path}`, {})).body).toMatchObject({ name: 'Shirt size', default: null });
    expect((await as('DELETE', `/v1${path}`)).status).toBe(204);
    expect((await as('GET', `/v1${path}`)).status).toBe(404);
    expect(await definitions()).toEqual([]);
  });

  test.for([
    ['a reserved key', { key: 'tags', type: 'text' }, ['key']],
    ['a key with capitals', { key: 'Size', type: 'text' }, ['key']],
    ['a key of 65 characters', { key: 'x'.repeat(65), type: 'text' }, ['key']],
    ['no type', { key: 'size' }, ['type']],
    ['a made-up type', { key: 'size', type: 'colour' }, ['type']],
    ['a name of two lines', { key: 'size', type: 'text', name: 'a\nb' }, ['name']],
    ['no options at all', { key: 'size', type: 'text', options: [] }, ['options']],
    ['an option twice', { key: 'size', type: 'text', options: ['a', 'a'] }, ['options']],
    ['101 options', { key: 'size', type: 'text', options: Array.from({ length: 101 }, (_, n) => `${n}`) }, ['options']],
    ['options of a number', { key: 'size', type: 'number', options: ['1'] }, ['options']],
    ['a default that is no option', { key: 'size', type: 'text', options: ['S'], default: 'M' }, ['default']],
    [
      'options and a default of the wrong type',
      { key: 'n', type: 'number', options: ['1'], default: '7' },
      ['default', 'options'],
    ],
    ['an unknown field', { key: 'size', type: 'text', colour: 'red' }, ['colour']],
  ] as const)('with %s is 422, and nothing is defined', async ([, body, paths]) => {
    const answer = await define(body);
    expect([answer.status, problemsOf(answer)]).toEqual([422, paths]);
    expect(await definitions()).toEqual([]);
  });

  test('whose key is taken is 409; its key and type never change; options that exclude its default are 422', async () => {
    const { body } = await define({ key: 'size', type: 'text', default: 'M' });
    expect((await define({ key: 'size', type: 'number' })).status).toBe(409);
    const change = (changes: object) => as('PATCH', `/v1/custom-fields/${body.id}`, changes);
    expect(problemsOf(await change({ key: 'colour', type: 'number' }))).toEqual(['key', 'type']);
    expect(problemsOf(await change({ options: ['S', 'L'] }))).toEqual(['default']);
    expect((await change({ options: ['S', 'L'], default: 'S' })).body).toMatchObject({
      key: 'size',
      type: 'text',
      default: 'S',
    });
  });

  test('of another account is 404 to read, change and delete, and its key is free', async () => {
    const { body } = await define({ key: 'size', type: 'text' });
    account = await api.createAccount();
    const path = `/v1/custom-fields/${body.id}`;
    const answers = await Promise.all([as('GET', path), as('PATCH', path, { name: 'Mine' }), as('DELETE', path)]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await define({ key: 'size', type: 'number' })).status).toBe(201);
  });

  test('that a flow uses is not deleted: 409 that says which flow and where', async () => {
    const { body } = await define({ key: 'size', type: 'text' });
    const { accountId } = account;
    await insertFlowByUses(api.db, { accountId, name: 'Shirts', status: 'draft', draftUses: ['field:size'] });
    const refused = await as<Refusal>('DELETE', `/v1/custom-fields/${body.id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({
      code: 'conflict',
      message: 'The custom field size is used by flows: details say which.',
      details: [{ path: expect.stringMatching(/^flow_/), message: '"Shirts": its draft' }],
    });
    expect(await definitions()).toEqual([['size', 'text']]);
  });

  test('beyond 500 of an account is 409, also by first use; keys that are there can still be used', async () => {
    const fields = (from: number) => Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${from + n}`, n]));
    for (let from = 0; from < 400; from += 100) await createContact(fields(from));
    const last = { ...fields(400) };
    delete last['f499'];
    await createContact(last);
    const others: Promise<{ status: number }>[] = [];
    await api.db.begin(async (sql) => {
      await takeFields(untold(sql), { accountId: account.accountId, fields: { g: 1 }, timeZone: null });
      // Each sees that there is room for one, until it gets its turn.
      others.push(define({ key: 'g2', type: 'text' }), createContact({ g3: 1 }));
      await untilSomebodyWaits(api.db);
    });
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([409, 409]);
    expect(await definitions()).not.toContainEqual(['g2', 'text']);
    expect((await createContact({ h: 1 })).status).toBe(409);
    expect((await createContact({ f7: 1 })).status).toBe(201);
    expect((await createContact({ h: null })).status).toBe(201);
  });
});

describe("a contact's values", () => {
  test('are of the types of their definitions, and all that are not are told at once with what else is wrong', async () => {
    const types = ['text', 'number', 'boolean', 'date', 'datetime', 'list', 'json'];
    for (const type of types) await define({ key: `a_${type}`, type });
    await define({ key: 'size', type: 'list', options: ['S', 'M'] });
    const good = {
      a_text: 'x',
      a_number: 1.5,
      a_boolean: false,
      a_date: '2026-03-29',
      a_datetime: '2026-03-29T10:00:00+02:00',
      a_list: ['a', 'b'],
      a_json: { deep: [null, { n: 1 }] },
      size: ['M'],
    };
    const { status, body } = await createContact(good);
    expect(status).toBe(201);
    const stored = { ...good, a_datetime: '2026-03-29T08:00:00.000Z' };
    expect(body.custom_fields).toEqual(stored);
    expect((await as('GET', `/v1/contacts/${body.id}`)).body).toEqual(body);
    const wrong = {
      a_text: 7,
      a_number: '7',
      a_boolean: 'true',
      a_date: '2026-02-30',
      a_datetime: '2026-03-29',
      a_list: 'a',
      a_json: 'x'.repeat(20_001),
      size: ['L'],
    };
    const paths = Object.keys(wrong).map((key) => `custom_fields.${key}`);
    const refused = await as('PATCH', `/v1/contacts/${body.id}`, { first_name: 'Ada', custom_fields: wrong });
    expect([refused.status, problemsOf(refused)]).toEqual([422, paths.toSorted()]);
    const more = await as('PATCH', `/v1/contacts/${body.id}`, { first_name: 7, custom_fields: { ...wrong, 'B c': 1 } });
    expect(problemsOf(more)).toEqual([...paths, 'custom_fields.B c', 'first_name'].toSorted());
    expect((await as('GET', `/v1/contacts/${body.id}`)).body).toEqual(body);
  });

  test('define the keys that nobody has defined, by their types', async () => {
    const fields = { note: 'x', orders: 3, vip: true, sizes: ['S'], address: { city: null }, mixed: [1] };
    const { status, body } = await createContact(fields);
    expect([status, body.custom_fields]).toEqual([201, fields]);
    expect(Object.fromEntries(await definitions())).toEqual({
      note: 'text',
      orders: 'number',
      vip: 'boolean',
      sizes: 'list',
      address: 'json',
      mixed: 'json',
    });
    expect(problemsOf(await createContact({ orders: 'three' }))).toEqual(['custom_fields.orders']);
  });

  test('of keys that nobody has defined are 422 under strict_fields, and nothing is defined or written', async () => {
    await define({ key: 'size', type: 'text' });
    await beStrict();
    const answer = await createContact({ size: 'M', colour: 'red', shape: null });
    expect([answer.status, problemsOf(answer)]).toEqual([422, ['custom_fields.colour']]);
    expect(await definitions()).toEqual([['size', 'text']]);
    expect((await createContact({ size: 'M' })).status).toBe(201);
  });

  test('are removed by null at the top alone, whatever their key, which that does not define', async () => {
    const { body } = await createContact({ address: { city: 'London', street: null }, size: 'M' });
    const changes = { custom_fields: { address: { city: null }, size: null, never: null } };
    const changed = await as<Contact>('PATCH', `/v1/contacts/${body.id}`, changes);
    expect(changed.body.custom_fields).toEqual({ address: { city: null } });
    expect((await definitions()).map(([key]) => String(key)).toSorted()).toEqual(['address', 'size']);
  });

  test('that 0.2 has written by keys that nobody has defined are shown, kept, removed by null, and typed by the next use', async () => {
    const { body } = await createContact({});
    await setUndefinedFields(api.db, readId('contact', body.id), { size: 'M', colour: 'red', tags: 'a,b' });
    const change = (custom_fields: object) => as<Contact>('PATCH', `/v1/contacts/${body.id}`, { custom_fields });
    expect((await change({})).body.custom_fields).toEqual({ size: 'M', colour: 'red', tags: 'a,b' });
    expect(problemsOf(await change({ tags: 'c' }))).toEqual(['custom_fields.tags']);
    expect((await change({ tags: null, size: 7 })).body.custom_fields).toEqual({ size: 7, colour: 'red' });
    expect(await definitions()).toEqual([['size', 'number']]);
  });

  test('of a deleted definition stay, and the next use defines the key anew', async () => {
    const { body } = await createContact({ size: 'M' });
    const [field] = (await as<{ data: Field[] }>('GET', '/v1/custom-fields')).body.data;
    await as('DELETE', `/v1/custom-fields/${field?.id}`);
    expect((await as<Contact>('GET', `/v1/contacts/${body.id}`)).body.custom_fields).toEqual({ size: 'M' });
    expect((await as('PATCH', `/v1/contacts/${body.id}`, { custom_fields: { size: 7 } })).status).toBe(200);
    expect(await definitions()).toEqual([['size', 'number']]);
  });

  test('two first uses of one key at the same time make one definition; one of another type is refused', async () => {
    const values = [1, 2, 3, 4, 'five', 6, 7, 8];
    const answers = await Promise.all(values.map((size) => createContact({ size, [`own_${size}`]: true })));
    const [[, type] = []] = (await definitions()).filter(([key]) => key === 'size');
    const isOfType = (value: unknown) => typeof value === (type === 'text' ? 'string' : 'number');
    expect(answers.map(({ status }) => status)).toEqual(values.map((value) => (isOfType(value) ? 201 : 422)));
    const defined = (await definitions()).map(([key]) => key);
    expect(defined.filter((key) => key === 'size')).toHaveLength(1);
    expect(defined).toHaveLength(1 + answers.filter(({ status }) => status === 201).length);
  });

  test('of a key that somebody else defines at this moment wait, and are checked by that definition', async () => {
    let answer: Promise<unknown> = Promise.resolve();
    await api.db.begin(async (sql) => {
      await takeFields(untold(sql), { accountId: account.accountId, fields: { size: 1 }, timeZone: null });
      answer = createContact({ size: 'M' });
      await untilSomebodyWaits(api.db);
    });
    expect(await answer).toMatchObject({ status: 422 });
    expect(await definitions()).toEqual([['size', 'number']]);
  });

  test('together are at most 256 KiB; who has more already may shrink', async () => {
    const { body } = await createContact({});
    const big = (keys: string) => Object.fromEntries(keys.split('').map((key) => [key, { text: 'x'.repeat(19_900) }]));
    const change = (custom_fields: object) => as<Contact>('PATCH', `/v1/contacts/${body.id}`, { custom_fields });
    expect((await change(big('abcdefgh'))).status).toBe(200);
    expect((await change({ ...big('ijklm'), n: 1 })).status).toBe(200);
    expect(problemsOf(await change(big('opq')))).toEqual(['custom_fields']);
    expect((await change({ a: null, o: 'short' })).status).toBe(200);
  });
});

describe('an inbound message', () => {
  test('gives a new contact the fields that are defined and of their type, and says which it skipped', async () => {
    await define({ key: 'size', type: 'text', options: ['S', 'M'] });
    await define({ key: 'orders', type: 'number' });
    const channel = await as<{ id: string }>('POST', '/v1/channels', { type: 'api', name: 'Shop' });
    const receive = (message_id: string, custom_fields: object) =>
      as<{ contact_id: string; skipped_fields: { path: string }[] }>(
        'POST',
        `/v1/channels/${channel.body.id}/inbound`,
        {
          message_id,
          sender: { external_id: 'u-1', custom_fields },
          text: 'Hello',
        },
      );
    const first = await receive('m-1', { size: 'XL', orders: 3, colour: 'red', 'Not a key': 1, tags: [], none: null });
    expect(first.status).toBe(202);
    const skipped = ['Not a key', 'colour', 'size', 'tags'].map((key) => `sender.custom_fields.${key}`);
    expect(first.body.skipped_fields.map(({ path }) => path).toSorted()).toEqual(skipped);
    const contact = () => as<Contact>('GET', `/v1/contacts/${first.body.contact_id}`);
    expect((await contact()).body.custom_fields).toEqual({ orders: 3 });
    expect((await receive('m-2', { orders: 4 })).body.skipped_fields).toEqual([]);
    expect((await contact()).body.custom_fields).toEqual({ orders: 3 });
    expect((await definitions()).map(([key]) => key)).toEqual(['orders', 'size']);
  });
});
