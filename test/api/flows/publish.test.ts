import { describe, expect, test } from 'vitest';
import { createContact } from '../../../src/shared/contacts/queries.ts';
import { findUses } from '../../../src/shared/flows/find-uses.ts';
import { shareAutomation } from '../../../src/shared/accounts/automation-lock.ts';
import { readId, showId } from '../../../src/shared/ids.ts';
import { useApi } from '../../helpers/api.ts';
import { aContact } from '../../helpers/builders.ts';
import { untilSomebodyWaits } from '../../helpers/database.ts';
import { aFlowDefinition, flowCalls, type Flow, type FlowDraft } from '../../helpers/flows.ts';
import { deleteRun, endOpenRun, insertOpenRun, insertVersions } from '../../helpers/states/flows.ts';

const api = await useApi();
const account = await api.createAccount();
const contact = await api.deps.transact((tx) => createContact(tx, account.accountId, aContact()));
const { call, create, createLive, publish, save, draft, read } = flowCalls(api, account);

const endless = aFlowDefinition({
  blocks: [
    { id: 'a', type: 'send', messages: [{ text: 'Hi {{nam}}' }], next: { default: 'b' } },
    { id: 'b', type: 'set_field', field: 'siz', value: 'x', next: { default: 'a' } },
    { id: 'c', type: 'external_request', method: 'GET', url: 'http://127.9.9.9:99999/', next: { success: 'gone' } },
    { id: 'd', type: 'end' },
  ],
});

const versionsOf = async (id: string) =>
  api.db`select version, definition, uses, one_active, listens from flow_versions where flow_id = ${readId('flow', id)} order by version`;

describe('POST /v1/flows/{id}/publish', () => {
  test('makes the draft the version that contacts enter, and the flow live', async () => {
    const definition = aFlowDefinition({
      reentry: 'allow',
      triggers: [
        { type: 'keyword', words: ['  ＳＨＩＲＴ ', 'shirt', 'Straße'], priority: 5, interrupt: true },
        { type: 'api' },
      ],
      blocks: [
        { id: 'wait', type: 'wait_event', event: 'tag_applied', next: { timeout: null } },
        { id: 'tag', type: 'add_tag', tag: 'VIP' },
      ],
    });
    const { id } = await create(definition);
    const answer = await publish(id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id, status: 'live', version: 1, draft_changed: false });
    expect(answer.body.published_at).toEqual(expect.any(String));
    expect(answer.body.issues).toMatchObject([{ severity: 'warning', code: 'unknown_tag', block_id: 'tag' }]);
    expect(await versionsOf(id)).toEqual([
      { version: 1, definition, uses: ['tag:vip'], oneActive: false, listens: ['tag_applied'] },
    ]);
    const triggers = await api.db`
      select place, type, priority, match, words, interrupt, tag from flow_triggers where flow_id = ${readId('flow', id)}`;
    expect(triggers).toEqual([
      {
        place: 0,
        type: 'keyword',
        priority: 5,
        match: 'exact',
        words: ['shirt', 'strasse'],
        interrupt: true,
        tag: null,
      },
    ]);
  });

  test('refuses a draft with errors by 422 that tells every issue, with path and hint, and publishes nothing', async () => {
    await call('POST', '/custom-fields', { key: 'size', name: 'Size', type: 'text' });
    const { id } = await create(endless);
    const answer = await publish(id);
    expect([answer.status, answer.body.error.code]).toEqual([422, 'invalid_request']);
    expect(answer.body.error.details).toEqual((await draft(id)).body.issues);
    expect(answer.body.error.details?.map(({ code, path }) => `${code} ${path}`)).toEqual(
      expect.arrayContaining([
        'missing_target blocks.2.next.success',
        'endless_cycle blocks.0',
        'unknown_placeholder blocks.0.messages.0.text',
        'unknown_field blocks.1.field',
        'invalid_url blocks.2.url',
        'open_error_port blocks.2.next.error',
      ]),
    );
    const field = answer.body.error.details?.find(({ code }) => code === 'unknown_field');
    expect(field).toEqual({
      severity: 'error',
      code: 'unknown_field',
      block_id: 'b',
      path: 'blocks.1.field',
      message: 'is not a field of the account',
      hint: 'Did you mean "size"?',
    });
    expect(await read(id)).toMatchObject({ status: 'draft', version: null });
    expect(await versionsOf(id)).toEqual([]);
  });

  test('a draft that has not changed makes no version, and one that has changed back neither', async () => {
    const { id } = await createLive();
    expect((await publish(id)).body).toMatchObject({ version: 1, status: 'live' });
    await save(id, aFlowDefinition({ text: 'Hi' }));
    await save(id, aFlowDefinition());
    expect((await publish(id)).body).toMatchObject({ version: 1, draft_changed: false });
    await save(id, aFlowDefinition({ text: 'Hi' }));
    expect((await publish(id)).body).toMatchObject({ version: 2 });
    expect((await versionsOf(id)).map(({ version }) => version)).toEqual([1, 2]);
  });

  test('warns of a flow whose blocks, or flows that they start, fire its own trigger', async () => {
    const tags = (applies: string, startedBy?: string) =>
      aFlowDefinition({
        blocks: [{ id: 'tag', type: 'add_tag', tag: applies }],
        ...(startedBy !== undefined && { triggers: [{ type: 'tag_applied', tag: startedBy }] }),
      });
    const warned = async (definition: object) =>
      (await publish((await create(definition)).id)).body.issues.filter(({ code }) => code === 'fires_itself');
    const warning = { severity: 'warning', block_id: 'tag', path: 'blocks.0.tag' };
    expect(await warned(tags('Ring', 'ring'))).toMatchObject([warning]);
    expect(await warned(tags('Ping', 'pong'))).toEqual([]);
    expect(await warned(tags('PONG', 'ping'))).toMatchObject([warning]);
    const child = await createLive(tags('Child'));
    const parent = aFlowDefinition({
      blocks: [{ id: 'tag', type: 'start_flow', flow_id: child.id }],
      triggers: [{ type: 'tag_applied', tag: 'child' }],
    });
    expect(await warned(parent)).toMatchObject([{ ...warning, path: 'blocks.0.flow_id' }]);
  });

  test('two publishes at once make one version, and drafts that follow one another make versions in order', async () => {
    const { id } = await create();
    const both = await Promise.all([publish(id), publish(id), publish(id)]);
    expect(both.map(({ status, body }) => [status, body.version])).toEqual([
      [200, 1],
      [200, 1],
      [200, 1],
    ]);
    await Promise.all(
      ['one', 'two', 'three'].map(async (text) => {
        await save(id, aFlowDefinition({ text }));
        await publish(id);
      }),
    );
    const versions = await versionsOf(id);
    expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 1));
    expect(versions.at(-1)?.['definition']).toEqual((await draft(id)).body.definition);
    expect(await read(id)).toMatchObject({ version: versions.length, draft_changed: false });
  });

  test('publishes only the draft that was meant', async () => {
    const { id } = await create();
    await save(id, aFlowDefinition({ text: 'Hi' }));
    const refused = await call('POST', `/flows/${id}/publish`, undefined, { 'if-match': '"1"' });
    expect([refused.status, refused.body.error.code]).toEqual([412, 'precondition_failed']);
    const done = await call<Flow>('POST', `/flows/${id}/publish`, undefined, { 'if-match': '"2"' });
    expect([done.status, done.body.version]).toEqual([200, 1]);
  });

  test('a repeated request with its Idempotency-Key gets the same answer', async () => {
    const { id } = await create();
    const once = () => call<Flow>('POST', `/flows/${id}/publish`, undefined, { 'idempotency-key': `publish-${id}` });
    const [first, second] = [await once(), await once()];
    expect([second.headers['idempotent-replayed'], second.body]).toEqual(['true', first.body]);
  });

  test('from the first one on the account is automated, and one that fails changes nothing of that', async () => {
    const fresh = await api.createAccount();
    const calls = flowCalls(api, fresh);
    const isAutomated = async () =>
      (await api.db`select automated from accounts where id = ${fresh.accountId}`)[0]?.['automated'];
    await calls.publish((await calls.create(endless)).id);
    expect(await isAutomated()).toBe(false);
    await calls.createLive();
    expect(await isAutomated()).toBe(true);
  });

  test('the first one waits for whoever has not seen that the account is automated', async () => {
    const fresh = await api.createAccount();
    const calls = flowCalls(api, fresh);
    const { id } = await calls.create();
    const order: string[] = [];
    const publishing = await api.db.begin(async (sql) => {
      await sql`select ${shareAutomation(sql, fresh.accountId)}`;
      const published = calls.publish(id).then(() => order.push('published'));
      await untilSomebodyWaits(api.db);
      order.push('received');
      return { published };
    });
    await publishing.published;
    expect(order).toEqual(['received', 'published']);
  });

  test('two flows that would start each other are not both published, at whatever moment', async () => {
    const [one, two] = [await create(), await create()];
    const starting = (id: string) => aFlowDefinition({ blocks: [{ id: 'a', type: 'start_flow', flow_id: id }] });
    await Promise.all([save(one.id, starting(two.id)), save(two.id, starting(one.id))]);
    const answers = await Promise.all([publish(one.id), publish(two.id)]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '422']);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body.error.details).toMatchObject([{ code: 'recursion', path: 'blocks.0.flow_id' }]);
  });

  test("names of another account's flows, fields, tags and credentials are unknown", async () => {
    const other = flowCalls(api, await api.createAccount());
    const { id } = await create();
    const flow = await other.create(
      aFlowDefinition({
        blocks: [
          { id: 'a', type: 'set_field', field: 'size', value: 'x' },
          { id: 'b', type: 'start_flow', flow_id: id },
        ],
      }),
    );
    expect(flow.issues.map(({ code }) => code)).toEqual(['unknown_field', 'unknown_flow']);
  });

  test('the live flows of an account have at most 500 triggers', async () => {
    const calls = flowCalls(api, await api.createAccount());
    const triggers = Array.from({ length: 20 }, (_, n) => ({ type: 'keyword', words: [`word${n}`] }));
    for (let n = 0; n < 25; n += 1) await calls.createLive(aFlowDefinition({ triggers }));
    const { id } = await calls.create(aFlowDefinition({ triggers: triggers.slice(0, 1) }));
    const refused = await calls.publish(id);
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('500 triggers')]);
    expect(await calls.read(id)).toMatchObject({ status: 'draft', version: null });
  });
});

describe('the states of a flow', () => {
  const triggersOf = async (id: string) =>
    (await api.db`select from flow_triggers where flow_id = ${readId('flow', id)}`).count;

  test.each([
    [['pause'], 'paused', 0],
    [['pause', 'pause', 'resume', 'resume'], 'live', 1],
    [['archive', 'archive'], 'archived', 0],
    [['pause', 'archive'], 'archived', 0],
    [['archive', 'unarchive', 'unarchive'], 'draft', 0],
    [['archive', 'unarchive', 'publish'], 'live', 1],
    [['pause', 'publish'], 'paused', 0],
  ])('a live flow after %j is %s', async (actions, status, triggers) => {
    const { id } = await createLive(aFlowDefinition({ triggers: [{ type: 'new_contact' }] }));
    for (const action of actions) expect((await call('POST', `/flows/${id}/${action}`)).status).toBe(200);
    expect(await read(id)).toMatchObject({ status, version: 1 });
    expect(await triggersOf(id)).toBe(triggers);
  });

  test.each([
    [[], 'pause', 'The flow is not published.'],
    [[], 'resume', 'The flow is not published.'],
    [['archive'], 'publish', 'The flow is archived.'],
    [['archive'], 'pause', 'The flow is archived.'],
    [['publish'], 'unarchive', 'The flow is live.'],
  ])('a draft after %j cannot %s: 409', async (actions, action, message) => {
    const { id } = await create();
    for (const each of actions) await call('POST', `/flows/${id}/${each}`);
    const answer = await call('POST', `/flows/${id}/${action}`);
    expect([answer.status, answer.body.error.message]).toEqual([409, message]);
  });

  test('what is published while a flow is paused is in force when it is resumed', async () => {
    const { id } = await createLive();
    await call('POST', `/flows/${id}/pause`);
    await save(id, aFlowDefinition({ triggers: [{ type: 'new_contact' }, { type: 'default_reply' }] }));
    await publish(id);
    expect(await triggersOf(id)).toBe(0);
    await call('POST', `/flows/${id}/resume`);
    expect([await triggersOf(id), (await read(id)).version]).toEqual([2, 2]);
  });

  test('a flow that a published one starts is not archived: 409 that names it', async () => {
    const child = await createLive();
    const parent = await createLive(
      aFlowDefinition({ blocks: [{ id: 'a', type: 'start_flow', flow_id: child.id }] }),
      'Parent',
    );
    const refused = await call('POST', `/flows/${child.id}/archive`);
    expect([refused.status, refused.body.error.details]).toEqual([
      409,
      [{ path: parent.id, message: '"Parent": its draft, its published version' }],
    ]);
    await call('POST', `/flows/${parent.id}/archive`);
    expect((await call('POST', `/flows/${child.id}/archive`)).status).toBe(200);
  });
});

describe('versions', () => {
  test('say who published them, and what they are for', async () => {
    const { id } = await create();
    const { session, userId } = await api.createAccount();
    const asUser = (path: string, body?: object) =>
      api.request<Flow & { published_by: string; note: string }>(body ? 'POST' : 'GET', `/dashboard/api/flows${path}`, {
        session,
        ...(body && { body }),
      });
    const flow = (await asUser('', { name: 'Shirts', definition: aFlowDefinition() })).body;
    expect((await asUser(`/${flow.id}/publish`, { note: ' Asks first ' })).status).toBe(200);
    const { body } = await asUser(`/${flow.id}/versions/1`);
    expect([body.published_by, body.note]).toEqual([showId('user', userId), 'Asks first']);
    expect((await asUser(`/${flow.id}/publish`, { note: 'x'.repeat(501) })).status).toBe(422);
    expect((await call('POST', `/flows/${id}/publish`, { note: '' })).status).toBe(200);
    const byKey = await call<{ published_by: null; note: null }>('GET', `/flows/${id}/versions/1`);
    expect([byKey.body.published_by, byKey.body.note]).toEqual([null, null]);
  });

  test('are listed newest first, read, and restored as the draft', async () => {
    const { id } = await createLive();
    await save(id, aFlowDefinition({ text: 'Hi' }));
    await publish(id);
    await insertOpenRun(api.db, { ...account, contactId: contact.id, flowId: readId('flow', id), version: 1 });
    const list = await call<{ data: object[]; next_cursor: string }>('GET', `/flows/${id}/versions?limit=1`);
    expect(list.body.data).toEqual([
      {
        flow_id: id,
        version: 2,
        is_current: true,
        open_runs: false,
        published_by: null,
        note: null,
        created_at: expect.any(String),
      },
    ]);
    const rest = await call<{ data: object[] }>('GET', `/flows/${id}/versions?cursor=${list.body.next_cursor}`);
    expect(rest.body).toMatchObject({ data: [{ version: 1, is_current: false, open_runs: true }], next_cursor: null });
    const first = await call<FlowDraft>('GET', `/flows/${id}/versions/1`);
    expect(first.body.definition).toEqual(aFlowDefinition());
    const restored = await call<FlowDraft>('POST', `/flows/${id}/versions/1/restore`, undefined, { 'if-match': '"2"' });
    expect([restored.status, restored.headers['etag'], restored.body.definition]).toEqual([
      200,
      '"3"',
      aFlowDefinition(),
    ]);
    const stale = await call('POST', `/flows/${id}/versions/2/restore`, undefined, { 'if-match': '"2"' });
    expect(stale.status).toBe(412);
    expect(await read(id)).toMatchObject({ version: 2, draft_changed: true });
  });

  test('restored again with its Idempotency-Key are answered with the ETag of then, which overwrites nothing newer', async () => {
    const { id } = await createLive();
    const restore = () =>
      call<FlowDraft>('POST', `/flows/${id}/versions/1/restore`, undefined, { 'idempotency-key': `restore-${id}` });
    const first = await restore();
    expect(first.headers['etag']).toBe(`"${first.body.revision}"`);
    await save(id, aFlowDefinition({ text: 'Hi' }));
    const again = await restore();
    expect(again).toMatchObject({
      status: 200,
      text: first.text,
      headers: { 'idempotent-replayed': 'true', etag: first.headers['etag'] },
    });
    const late = await save(id, aFlowDefinition({ text: 'late' }), { 'if-match': String(again.headers['etag']) });
    expect(late.status).toBe(412);
  });

  test.each(['0', '3', '-1', '1.0', 'x', '99999999999999999999'])('there is no version %s: 404', async (version) => {
    const { id } = await createLive();
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/restore'],
    ] as const) {
      const answer = await call(method, `/flows/${id}/versions/${version}${path}`);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
    }
  });

  test('the latest hundred are kept, and older ones as long as there are runs of them', async () => {
    const { id } = await createLive();
    const flowId = readId('flow', id);
    const run = await insertOpenRun(api.db, { ...account, contactId: contact.id, flowId, version: 1 });
    await insertVersions(api.db, flowId, { from: 2, to: 101 });
    await save(id, aFlowDefinition({ text: 'Bye' }));
    await publish(id);
    const numbers = async () => (await versionsOf(id)).map(({ version }) => version);
    expect((await numbers()).slice(0, 3)).toEqual([1, 3, 4]);
    await endOpenRun(api.db, run);
    await save(id, aFlowDefinition());
    await publish(id);
    expect((await numbers()).slice(0, 3)).toEqual([1, 4, 5]);
    await deleteRun(api.db, run);
    await save(id, aFlowDefinition({ text: 'Hi' }));
    await publish(id);
    expect(await numbers()).toHaveLength(100);
  });
});

test('what a live flow needs is found, and what its draft needs', async () => {
  const { id } = await createLive(aFlowDefinition({ blocks: [{ id: 'a', type: 'remove_tag', tag: 'Gone' }] }));
  await save(
    id,
    aFlowDefinition({
      blocks: [
        { id: 'a', type: 'remove_tag', tag: 'Other' },
        { id: 'b', type: 'unknown' },
      ],
    }),
  );
  const uses = (name: string) => findUses(api.db, account.accountId, `tag:${name}`);
  expect(await uses('Gone')).toMatchObject([{ inDraft: false, isLive: true }]);
  expect(await uses('OTHER')).toMatchObject([{ inDraft: true, isLive: false }]);
});
