import * as fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newUuid, showId } from '../../../../src/shared/ids.ts';
import { placeOrder } from '../../../../src/shared/orders/write.ts';
import { newOrder } from '../../../../src/shared/orders/schema.ts';
import { enrollContact } from '../../../../src/shared/runs/life/enroll.ts';
import { retryRun } from '../../../../src/shared/runs/life/retry.ts';
import { showRunDetail } from '../../../../src/shared/runs/schema.ts';
import type { RoutedTo } from '../../../../src/shared/runs/triggers/route-message.ts';
import { runWork } from '../../../../src/shared/runs/work.ts';
import { applyTag } from '../../../../src/shared/tags/apply.ts';
import { anOrder } from '../../../helpers/builders.ts';
import { routedRun, startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow, type FlowBlocks } from '../../../helpers/live-flows.ts';
import { clientOfSilence } from '../../../helpers/silent-temporal.ts';

let world: FlowWorld;
const lines: Record<string, unknown>[] = [];
beforeAll(async () => {
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  world = await startFlowWorld({ passes: () => true, log });
});
afterAll(() => world.stop());

const flow = (blocks: FlowBlocks, triggers: readonly object[] = []) =>
  aFlow(world.db, world.accountId, { blocks, triggers });
const onWord = (word: string, more: object = {}) => [{ type: 'keyword', match: 'exact', words: [word], ...more }];
const ask = (id: string, more: object = {}) => ({
  id,
  type: 'ask',
  prompt: `${id}?`,
  expects: 'any',
  next: { timeout: null },
  ...more,
});
const say = (text: string) => ({ id: `say-${text}`, type: 'send', messages: [{ text }] });
const tag = (name: string) => ({ id: `tag-${name}`, type: 'add_tag', tag: name });

/** What was asked of workflows of runs while this was done, in order. */
const asked = async <Result>(work: () => Promise<Result>) => {
  const from = world.dispatched.length;
  const result = await work();
  const items = world.dispatched.slice(from).filter((item) => item.work.table === runWork.table);
  return { result, items: items.map(({ row, signal = 'start' }) => ({ id: row.id, signal })) };
};

const loggedOf = (runId: string) =>
  lines.flatMap(({ msg, run_id: id }) => (id === showId('run', runId) ? [String(msg)] : []));

/** The seconds until the sweep looks after a run; null when it does not. */
const sweptIn = async (runId: string) => {
  const [row] = await world.db<{ seconds: number | null }[]>`
    select extract(epoch from sweep_at - clock_timestamp())::float8 as seconds from runs where id = ${runId}`;
  return row?.seconds ?? null;
};

const runsOf = (contactId: string) => world.db<{ id: string; flowId: string; status: string; step: number }[]>`
  select id, flow_id, status, step from runs where contact_id = ${contactId} order by id`;

describe('a message', () => {
  test('commits with the answer of the flow that it starts, and the sweep soon looks for its workflow', async () => {
    await flow([say('hi'), ask('name'), say('bye')], onWord('shirt'));
    const { result, items } = await asked(() => world.says('shirts', 'shirt'));
    const runId = routedRun(result.routedTo);
    expect(await world.sentTo(result.contactId)).toEqual(['hi', 'name?']);
    expect(await world.run(runId)).toMatchObject({ status: 'waiting', waiting: 'reply', blockId: 'name' });
    expect(items).toEqual([{ id: runId, signal: 'start' }]);
    expect(await sweptIn(runId)).toBeLessThan(16);
    expect(loggedOf(runId)).toEqual(['run.started']);

    expect(await world.advance(runId)).toMatchObject({ type: 'wait', waiting: 'reply', dueInMs: expect.any(Number) });
    expect(await world.sentTo(result.contactId)).toEqual(['hi', 'name?']);
    expect(await sweptIn(runId)).toBeGreaterThan(60);
    expect(loggedOf(runId)).toEqual(['run.started']);
  });

  test('that answers an ask commits with what follows, and wakes the workflow, also of a run that ends', async () => {
    const { sender, contactId, runId } = await world.enrolled([
      ask('size', { save_to: 'last_name' }),
      ask('colour'),
      say('done'),
    ]);
    await world.advance(runId);
    const first = await asked(() => world.says(sender, 'L'));
    expect(await world.sentTo(contactId)).toEqual(['size?', 'colour?']);
    expect(first.items).toEqual([{ id: runId, signal: 'wake' }]);
    expect(await sweptIn(runId)).toBeLessThan(6);
    expect(await world.advance(runId)).toMatchObject({ type: 'wait', blockId: 'colour' });

    const last = await asked(() => world.says(sender, 'red'));
    expect(await world.sentTo(contactId)).toEqual(['size?', 'colour?', 'done']);
    expect(last.items).toEqual([{ id: runId, signal: 'stop' }]);
    expect(await world.run(runId)).toMatchObject({ status: 'completed' });
    expect(await sweptIn(runId)).toBeLessThan(6);
    expect(await world.advance(runId)).toEqual({ type: 'over', status: 'completed' });
    await world.advance(runId);
    expect(await sweptIn(runId)).toBeNull();
    expect(loggedOf(runId)).toEqual(['run.started', 'run.ended']);
    expect(last.result.routedTo).toEqual({ to: 'run', run_id: showId('run', runId) });
  });

  test('that begins a flow which ends at once: one log line says so, and its workflow starts behind others', async () => {
    await flow([say('pong')], onWord('ping'));
    const from = world.dispatched.length;
    const runId = routedRun((await world.says(newUuid(), 'ping')).routedTo);
    const spare = world.dispatched.slice(from).filter(({ isSpare }) => isSpare);
    expect(spare).toMatchObject([{ row: { id: runId, first: { type: 'over', status: 'completed' } } }]);
    const inputs = [true, false].map(
      (settled) => spare[0]?.work.start(spare[0].row, { eager: false, settled }).args[0],
    );
    expect(inputs[0]).toMatchObject({ first: { type: 'over', status: 'completed' } });
    expect(inputs[1]).not.toHaveProperty('over');

    // Its process may be killed before the start.
    expect(await world.run(runId)).toMatchObject({ withoutWorkflow: true });
    // Temporal is away here.
    await world.drain();
    const row = await world.run(runId);
    expect(row).toMatchObject({ withoutWorkflow: true });
    expect(showRunDetail(row, { moves: [], workflowUrl: 'https://temporal.example/' }).workflow_url).toBeNull();
    expect(await world.run(runId)).toMatchObject({ status: 'completed' });
    expect(await sweptIn(runId)).toBeNull();
    expect(await world.advance(runId)).toEqual({ type: 'over', status: 'completed' });
    expect(loggedOf(runId)).toEqual(['run.started', 'run.ended']);
  });

  test('that begins a flow which fails at once: its workflow starts like all others, one log line says so', async () => {
    const picture = { text: 'see', image_url: '{{first_name|default:"none"}}' };
    await flow([{ id: 'show', type: 'send', messages: [picture] }], onWord('fail'));
    const from = world.dispatched.length;
    const runId = routedRun((await world.says(newUuid(), 'fail')).routedTo);
    expect(await world.run(runId)).toMatchObject({ status: 'failed' });
    const items = world.dispatched.slice(from).filter(({ work }) => work.table === runWork.table);
    expect(items).toMatchObject([{ row: { id: runId } }]);
    expect(items[0]).not.toHaveProperty('isSpare');
    expect(await sweptIn(runId)).toBeGreaterThan(1);
    expect(loggedOf(runId)).toEqual(['run.started', 'run.ended']);

    expect(await world.advance(runId)).toMatchObject({ type: 'over', status: 'failed' });
    await world.advance(runId);
    expect(await sweptIn(runId)).toBeNull();
    const shown = showRunDetail(await world.run(runId), { moves: [], workflowUrl: 'https://temporal.example/' });
    expect(shown.workflow_url).toBe('https://temporal.example/');
    expect(loggedOf(runId)).toEqual(['run.started', 'run.ended']);
  });

  test('that begins a flow which asks: its workflow waits without a question, and the sweep leaves it alone', async () => {
    await flow([ask('size')], onWord('size'));
    const inputs: unknown[] = [];
    const startWithDetails = async ({ options }: { options: { args: unknown[] } }) => {
      inputs.push(options.args[0]);
      return { runId: newUuid(), eagerlyStarted: false };
    };
    world.useClient(await clientOfSilence({ interceptors: { workflow: [{ startWithDetails }] } }));
    const runId = routedRun((await world.says(newUuid(), 'size')).routedTo);
    await vi.waitUntil(async () => ((await sweptIn(runId)) ?? 0) > 60, { timeout: 30_000, interval: 10 });
    expect(inputs).toMatchObject([{ first: { type: 'wait', blockId: 'size', waiting: 'reply' } }]);

    // Others may have the sweep wake one that waits for a time.
    await flow([{ id: 'later', type: 'delay', for: 'PT1H' }], onWord('later'));
    const from = world.dispatched.length;
    await world.says(newUuid(), 'later');
    expect(world.dispatched[from]?.row).not.toHaveProperty('first');
    world.useClient(undefined);
  });

  test('that begins a flow which ends at once: a page leads to its workflow once that was started', async () => {
    await flow([say('pong')], onWord('lead'));
    const taken = Promise.withResolvers<void>();
    onTestFinished(() => taken.resolve());
    const startWithDetails = async () => {
      await taken.promise;
      return { runId: newUuid(), eagerlyStarted: false };
    };
    world.useClient(await clientOfSilence({ interceptors: { workflow: [{ startWithDetails }] } }));
    const runId = routedRun((await world.says(newUuid(), 'lead')).routedTo);
    expect(await world.run(runId)).toMatchObject({ withoutWorkflow: true });
    taken.resolve();
    await vi.waitUntil(async () => !(await world.run(runId)).withoutWorkflow, { timeout: 30_000, interval: 10 });
    world.useClient(undefined);
  });

  test('that begins a flow which fails at once tells its end also where it is retried before its workflow heard', async () => {
    const picture = { text: 'see', image_url: '{{first_name|default:"none"}}' };
    await flow([{ id: 'show', type: 'send', messages: [picture] }], onWord('again'));
    const runId = routedRun((await world.says(newUuid(), 'again')).routedTo);
    await world.transact((tx) => retryRun(tx, { accountId: world.accountId, runId }));
    expect(await world.advance(runId)).toMatchObject({ type: 'over', status: 'failed' });
    await world.activities.advanceRun({ runId: showId('run', runId), resumes: 0 });
    expect(loggedOf(runId)).toEqual(['run.started', 'run.ended', 'run.ended']);
  });

  test('that begins a flow waits in the order of all before what the flow sends', async () => {
    await flow([ask('early', { early: 'take' })], onWord('order'));
    const { contactId } = await world.says(newUuid(), 'order');
    const texts = await world.db<
      { text: string }[]
    >`select text from messages where contact_id = ${contactId} order by seq`;
    expect(texts.map(({ text }) => text)).toEqual(['order', 'early?']);
  });

  test('of a new contact is no answer to the flow that it has begun as one', async () => {
    const own = await startFlowWorld({ passes: () => true });
    try {
      await aFlow(own.db, own.accountId, {
        triggers: [{ type: 'new_contact' }],
        blocks: [ask('name', { save_to: 'first_name' }), say('ok')],
      });
      const { contactId, routedTo } = await own.says('ada', 'hi');
      const runId = routedRun(routedTo);
      expect(routedTo).toMatchObject({ to: 'flow', by: 'new_contact' });
      expect(await own.sentTo(contactId)).toEqual(['name?']);
      expect(await own.run(runId)).toMatchObject({ waiting: 'reply' });
      await own.says('ada', 'Ada');
      expect(await own.sentTo(contactId)).toEqual(['name?', 'ok']);

      await aFlow(own.db, own.accountId, { triggers: onWord('menu'), blocks: [say('soup')] });
      const both = await own.says('bob', 'menu');
      const [ofContact, ofWord] = await own.db<{ id: string; step: number; status: string }[]>`
        select id, step, status from runs where contact_id = ${both.contactId} order by id`;
      expect(both.routedTo).toMatchObject({ by: 'keyword', run_id: showId('run', ofWord?.id ?? '') });
      expect([ofContact, ofWord]).toMatchObject([{ step: 0 }, { status: 'completed' }]);
      expect(await own.sentTo(both.contactId)).toEqual(['soup']);
    } finally {
      await own.stop();
    }
  });

  test('makes one pass: what its effects begin, and what comes after twenty blocks, is left to workflows', async () => {
    const child = await flow([say('child')]);
    const other = await flow([say('other')], [{ type: 'tag_applied', tag: 'begins' }]);
    const many = Array.from({ length: 25 }, (_, index) => ({ ...tag('many'), id: `many-${index}` }));
    const start = { id: 'start', type: 'start_flow', flow_id: showId('flow', child), mode: 'child' };
    await flow([tag('begins'), start, ask('later')], onWord('family'));
    await flow([...many, say('end')], onWord('long'));
    const { contactId } = await world.says(newUuid(), 'family');
    const [parent, ...begun] = await runsOf(contactId);
    expect(parent).toMatchObject({ status: 'waiting', step: 2 });
    expect(begun.map(({ flowId }) => flowId).toSorted()).toEqual([child, other].toSorted());
    expect(begun.map(({ step }) => step)).toEqual([0, 0]);
    expect(await world.sentTo(contactId)).toEqual([]);

    const runId = routedRun((await world.says(newUuid(), 'long')).routedTo);
    expect(await world.run(runId)).toMatchObject({ status: 'running', step: 20 });
    expect(await world.advance(runId)).toEqual({ type: 'over', status: 'completed' });
  });
});

describe('an event and an enrollment', () => {
  test('an event that begins a flow commits with what that does', async () => {
    await flow([say('thanks')], [{ type: 'order_placed' }]);
    const { contactId } = await world.says(newUuid(), 'hello');
    const order = newOrder.parse(anOrder(showId('contact', contactId), {}));
    const { items } = await asked(() => world.transact((tx) => placeOrder(tx, world.accountId, order)));
    expect(await world.sentTo(contactId)).toEqual(['thanks']);
    expect(items).toHaveLength(1);
  });

  test('an event that a run waits for commits with what follows it', async () => {
    const wait = { id: 'wait', type: 'wait_event', event: 'tag_applied', timeout: 'PT1H', next: { timeout: null } };
    const { contactId, runId } = await world.enrolled([wait, say('tagged')]);
    await world.advance(runId);
    const tagging = () => world.transact((tx) => applyTag(tx, { accountId: world.accountId, contactId, name: 'new' }));
    expect((await asked(tagging)).items).toEqual([{ id: runId, signal: 'stop' }]);
    expect(await world.sentTo(contactId)).toEqual(['tagged']);
  });

  test('an enrollment commits with the first pass, and is answered as begun', async () => {
    const { contactId } = await world.says(newUuid(), 'hello');
    const flowId = await flow([say('welcome'), ask('size')]);
    const enrollment = { accountId: world.accountId, contactId, flowId, params: {} };
    const run = await world.transact((tx) => enrollContact(tx, enrollment));
    expect(run).toMatchObject({ status: 'running' });
    expect(await world.sentTo(contactId)).toEqual(['welcome', 'size?']);
  });

  test('one of many that a request makes, and those of a transaction over several contacts, go to workflows', async () => {
    const flowId = await flow([say('welcome')]);
    const contacts = await Promise.all([1, 2, 3].map(async () => (await world.says(newUuid(), 'hello')).contactId));
    const [alone = '', ...both] = contacts;
    const enrollment = { accountId: world.accountId, flowId, params: {} };
    await world.transact((tx) => enrollContact(tx.inBulk(), { ...enrollment, contactId: alone }));
    await world.transact(async (tx) => {
      for (const contactId of both.toSorted()) await enrollContact(tx, { ...enrollment, contactId });
    });
    for (const contactId of contacts) {
      expect(await runsOf(contactId)).toMatchObject([{ status: 'running', step: 0 }]);
      expect(await world.sentTo(contactId)).toEqual([]);
    }
  });
});

describe('a pass that throws', () => {
  const places = ['run_steps', 'outbound_messages', 'contact_tags', 'contacts'] as const;
  beforeAll(async () => {
    await world.db`create table broken (place text)`;
    await world.db`
      create function break_here() returns trigger language plpgsql as $$
      begin if exists (select from broken where place = tg_table_name) then raise 'broken at %', tg_table_name; end if; return new; end $$`;
    for (const place of places)
      await world.db`
        create trigger breaks before insert or update on ${world.db(place)} for each row execute function break_here()`;
  });
  afterEach(() => repair());
  afterAll(async () => void (await world.db`drop function break_here() cascade`));
  const breakAt = (place: string) => world.db`insert into broken (place) values (${place})`;
  const repair = async () => void (await world.db`delete from broken`);

  const blocks = (text: string): FlowBlocks => [
    say(text),
    tag(`${text}-tag`),
    { id: 'set', type: 'set_field', field: 'first_name', value: text },
    ask('more'),
    say('end'),
  ];
  const begin = {
    message: async (contactId: string, sender: string) => {
      const { routedTo } = await world.says(sender, 'breaks');
      return { contactId, runId: routedRun(routedTo) };
    },
    event: async (contactId: string) => {
      await world.transact((tx) => applyTag(tx, { accountId: world.accountId, contactId, name: 'breaking' }));
      return { contactId, runId: (await runsOf(contactId))[0]?.id ?? '' };
    },
    enrollment: async (contactId: string) => ({ contactId, runId: await world.enrol(contactId, enrolledIn) }),
  };
  let enrolledIn: string;
  beforeAll(async () => {
    await flow(blocks('message'), onWord('breaks'));
    await flow(blocks('event'), [{ type: 'tag_applied', tag: 'breaking' }]);
    enrolledIn = await flow(blocks('enrollment'));
  });

  test('loses no message, event or enrollment: the workflow decides, and nothing is written twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('message' as const, 'event' as const, 'enrollment' as const),
        fc.option(fc.constantFrom('run_steps', 'outbound_messages', 'contacts')),
        fc.option(fc.constantFrom('run_steps', 'outbound_messages')),
        async (kind, atBegin, atReply) => {
          const sender = newUuid();
          const { contactId } = await world.says(sender, 'hello');
          if (atBegin) await breakAt(atBegin);
          const begun = await asked(() => begin[kind](contactId, sender));
          await repair();
          const { runId } = begun.result;
          expect(begun.items).toEqual([{ id: runId, signal: 'start' }]);
          expect(await world.run(runId)).toMatchObject(atBegin ? { status: 'running', step: 0 } : { blockId: 'more' });
          expect(await world.sentTo(contactId)).toEqual(atBegin ? [] : [kind, 'more?']);
          expect(loggedOf(runId)).toEqual([atBegin ? 'run.pass_failed' : 'run.started']);
          expect(await world.advance(runId)).toMatchObject({ type: 'wait', blockId: 'more' });

          if (atReply) await breakAt(atReply);
          const replied = await asked(() => world.says(sender, 'yes'));
          await repair();
          expect(replied.result.routedTo).toEqual({ to: 'run', run_id: showId('run', runId) });
          expect(replied.items).toEqual([{ id: runId, signal: atReply ? 'wake' : 'stop' }]);
          expect(await world.advance(runId)).toEqual({ type: 'over', status: 'completed' });
          expect(await world.sentTo(contactId)).toEqual([kind, 'more?', 'end']);
          const inputs = await world.db`select taken_by_step from run_inputs where run_id = ${runId}`;
          expect(inputs).toMatchObject([{ takenByStep: expect.any(Number) }]);
          const heard = await world.db<{ text: string; routedTo: RoutedTo }[]>`
            select text, routed_to from messages where contact_id = ${contactId} and direction = 'inbound' order by seq`;
          expect(heard.map(({ text }) => text)).toEqual(
            kind === 'message' ? ['hello', 'breaks', 'yes'] : ['hello', 'yes'],
          );
        },
      ),
      { numRuns: 30 },
    );
  }, 120_000);

  test('drops the events that it has told', async () => {
    await breakAt('contact_tags');
    await flow([say('told'), tag('untold'), { id: 'end', type: 'end' }], onWord('tell'));
    const { contactId } = await world.says(newUuid(), 'tell');
    await repair();
    const events = await world.db<
      { name: string }[]
    >`select name from events where contact_id = ${contactId} order by id`;
    expect(events.map(({ name }) => name)).toEqual(['new_contact', 'new_message']);
  });
});
