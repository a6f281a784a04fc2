import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateContact } from '../../../../src/shared/contacts/queries.ts';
import { requestHandover } from '../../../../src/shared/handovers/request.ts';
import { showId } from '../../../../src/shared/ids.ts';
import type { EventTransact } from '../../../../src/shared/facts/tell.ts';
import { advanceRun } from '../../../../src/shared/runs/engine/advance.ts';
import { expireHandovers, resolveHandover } from '../../../../src/shared/handovers/end.ts';
import { closeConversation } from '../../../../src/shared/messages/conversations/close.ts';
import { cancelRun } from '../../../../src/shared/runs/life/cancel.ts';
import { retryRun } from '../../../../src/shared/runs/life/retry.ts';
import { createVersions } from '../../../../src/shared/runs/engine/versions.ts';
import { applyTag, removeTag } from '../../../../src/shared/tags/apply.ts';
import { startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow } from '../../../helpers/live-flows.ts';
import { startReceiver, type Receiver } from '../../../helpers/receiver.ts';
import { letHandoversLapse } from '../../../helpers/states/handovers.ts';
import { loseWorkflow } from '../../../helpers/states/runs.ts';
import { noLinks } from '../../../helpers/no-links.ts';

let world: FlowWorld;
/** Whether transactions make the passes that they cause, or leave them to workflows, as where a pass throws. */
let passes = true;
let flows: string[];
let shop: Receiver;
beforeAll(async () => {
  world = await startFlowWorld({ passes: () => passes });
  shop = await startReceiver({ respond: { type: 'respond', delayMs: 5 } });
  const ask = (id: string, more: object = {}) => ({
    id,
    type: 'ask',
    prompt: `${id}?`,
    expects: 'number',
    retries: 1,
    next: { invalid: null, timeout: null, failed: null },
    ...more,
  });
  const say = (id: string) => ({ id, type: 'send', messages: [{ text: id }], next: { failed: null } });
  const wait = { id: 'wait', type: 'wait_event', event: 'tag_applied', timeout: 'PT2H', next: { timeout: null } };
  const { db, accountId } = world;
  const child = await aFlow(db, accountId, { reentry: 'allow', blocks: [ask('inner'), say('inner-done')] });
  const start = { id: 'start', type: 'start_flow', flow_id: showId('flow', child), mode: 'child' };
  const change = { id: 'change', type: 'start_flow', flow_id: showId('flow', child), mode: 'switch' };
  await aFlow(db, accountId, {
    triggers: [{ type: 'keyword', match: 'exact', words: ['help'], interrupt: true }],
    blocks: [ask('help'), say('helped')],
  });
  await aFlow(db, accountId, { triggers: [{ type: 'tag_applied', tag: 'hot' }], blocks: [say('hot'), ask('hot-ask')] });
  const people = { id: 'people', type: 'handover', reason: 'Help', timeout: 'PT1H', next: { timeout: 'e2' } };
  const leave = { ...people, id: 'leave', wait: false, next: {} };
  flows = [
    await aFlow(db, accountId, {
      reentry: 'allow',
      blocks: [ask('a1'), wait, ask('a2', { early: 'take' }), { id: 'd', type: 'delay', for: 'PT1H' }, say('a-end')],
    }),
    await aFlow(db, accountId, { blocks: [ask('b1'), start, ask('b2'), { id: 'tag', type: 'add_tag', tag: 'hot' }] }),
    await aFlow(db, accountId, { blocks: [ask('c1', { early: 'take' }), ask('c2', { early: 'take' }), change] }),
    await aFlow(db, accountId, {
      reentry: 'allow',
      blocks: [
        { id: 'post', type: 'external_request', method: 'POST', url: shop.url('/'), next: { error: 'd1' } },
        ask('d1'),
      ],
    }),
    await aFlow(db, accountId, {
      reentry: 'allow',
      blocks: [
        ask('e1'),
        people,
        ask('e2'),
        leave,
        say('e3'),
        { id: 'shut', type: 'close_conversation' },
        say('e-end'),
      ],
    }),
  ];
});
afterAll(() => Promise.all([world.stop(), shop.close()]));

type Op =
  | { type: 'says'; text: string }
  | { type: 'enrol'; flow: number }
  | { type: 'pass' | 'due' | 'crash' | 'call' | 'zombie' | 'resume' | 'cancel' | 'retry'; run: number }
  | { type: 'tag' }
  | { type: 'passes'; on: boolean }
  | { type: 'silence' | 'people'; on: boolean }
  | { type: 'expire' | 'close' };

const someRun = fc.nat({ max: 5 });
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant('says' as const), text: fc.constantFrom('7', 'no', 'help', '8') }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('enrol' as const), flow: fc.nat({ max: 4 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constantFrom('pass' as const, 'due' as const, 'crash' as const, 'call' as const),
      run: someRun,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constantFrom('zombie' as const, 'resume' as const, 'cancel' as const, 'retry' as const),
      run: someRun,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'tag' as const }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('passes' as const), on: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom('silence' as const, 'people' as const), on: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('expire' as const, 'close' as const) }) },
);

type Row = {
  id: string;
  rootRunId: string;
  waiting: string | null;
  step: number;
  resumes: number;
  endedAt: Date | null;
  woken: boolean;
  status: string;
};

class Crash extends Error {}

const actor = (sender: string, contactId: string) => {
  const { db, accountId, transact } = world;
  const readVersion = createVersions();
  const runs = () => db<Row[]>`
    select id, root_run_id, waiting, step, resumes, ended_at, woken, status from runs where contact_id = ${contactId} order by id`;
  /** The transaction is gone, as after a crash before its commit. */
  const crashing: EventTransact = async (work) =>
    transact(async (tx) => {
      await work(tx);
      throw new Crash();
    });
  const openHandovers = async () => {
    const open = await db<
      { id: string }[]
    >`select id from handovers where contact_id = ${contactId} and status = 'open'`;
    return open.map(({ id }) => id);
  };
  const pick = async (index: number, isOpen: boolean) => {
    const rows = (await runs()).filter(({ endedAt }) => !isOpen || endedAt === null);
    return rows[index % Math.max(1, rows.length)];
  };
  const carryOut = async (op: Op): Promise<void> => {
    switch (op.type) {
      case 'says':
        await world.says(sender, op.text);
        return;
      case 'enrol':
        await world.enrol(contactId, flows[op.flow] ?? '').catch(ignoreConflict);
        return;
      case 'tag':
        await transact((tx) => applyTag(tx, { accountId, contactId, name: 'warm' }));
        await transact((tx) => removeTag(tx, { accountId, contactId, name: 'warm' }));
        return;
      case 'passes':
        passes = op.on;
        return;
      case 'silence':
        await transact(async (tx) => {
          const changes = { automation_paused_until: op.on ? new Date(Date.now() + 3_600_000).toISOString() : null };
          await updateContact(tx, { accountId, id: contactId, changes });
        });
        return;
      case 'people': {
        const asked = { contact_id: contactId, reason: 'Help' };
        if (op.on) await transact((tx) => requestHandover(tx, { accountId, asked, requestedBy: 'api' }));
        else
          for (const id of await openHandovers())
            await transact((tx) => resolveHandover(tx, { accountId, id, outcome: '' }));
        return;
      }
      case 'expire':
        await letHandoversLapse(db, accountId);
        await expireHandovers(world);
        return;
      case 'close': {
        const [open] = await db<{ id: string }[]>`
          select id from conversations where contact_id = ${contactId} and status = 'open'`;
        if (open) await transact((tx) => closeConversation(tx, { accountId, id: open.id }));
        return;
      }
      case 'pass':
      case 'due': {
        const run = await pick(op.run, true);
        if (run) await world.advance(run.id, op.type === 'due' && run.waiting !== 'silence' ? run.step : undefined);
        return;
      }
      case 'call': {
        const run = (await runs()).find(({ waiting }) => waiting === 'call');
        const asked = run && { runId: showId('run', run.id), resumes: run.resumes };
        if (!asked) return;
        // Every other call is overtaken by a later workflow of its run.
        const calling = world.activities.callThirdParty(asked, run.step);
        await Promise.all([calling, op.run % 2 === 1 && loseWorkflow(db, run.id)]);
        return;
      }
      case 'crash': {
        const run = await pick(op.run, true);
        const asked = run && { runId: showId('run', run.id), resumes: run.resumes };
        if (asked)
          await advanceRun(
            { transact: crashing, readVersion, baseUrl: '', apiUrl: '', lastingLinkTo: noLinks },
            asked,
          ).catch(ignoreCrash);
        return;
      }
      case 'zombie': {
        const run = await pick(op.run, true);
        if (run && run.resumes > 0)
          await world.activities.advanceRun({ runId: showId('run', run.id), resumes: run.resumes - 1 });
        return;
      }
      case 'resume': {
        const run = await pick(op.run, true);
        if (run) await loseWorkflow(db, run.id);
        return;
      }
      case 'cancel': {
        const run = await pick(op.run, true);
        if (run) await transact((tx) => cancelRun(tx, { runId: run.id, reason: 'cancelled' }));
        return;
      }
      case 'retry': {
        const run = await pick(op.run, false);
        if (run) await transact((tx) => retryRun(tx, { accountId, runId: run.id })).catch(ignoreConflict);
        return;
      }
      default:
        return;
    }
  };
  /** What the wakes would have the workflows do. */
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 50; round += 1) {
      const woken = (await runs()).filter((run) => run.woken || (run.endedAt === null && run.status === 'running'));
      if (woken.length === 0) return;
      for (const { id } of woken) await world.advance(id);
    }
    expect.fail('the runs do not come to rest');
  };
  return { runs, carryOut, settle };
};

const ignoreConflict = (error: unknown): void => {
  expect(error).toMatchObject({ code: 'conflict' });
};
const ignoreCrash = (error: unknown): void => {
  expect(error).toBeInstanceOf(Crash);
};

let contacts = 0;

test('wherever passes are made, inputs are taken once, steps have one port, and one family asks', async () => {
  const { db } = world;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(op, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 14 }),
      async (groups) => {
        contacts += 1;
        const sender = `contact-${contacts}`;
        const { contactId } = await world.says(sender, 'hello');
        const { runs, carryOut, settle } = actor(sender, contactId);
        const taken = new Map<string, string>();
        const left = new Map<string, string>();

        /** What must never be. */
        const findWrong = async (): Promise<string[]> => {
          const wrong: string[] = [];
          const keep = (kept: Map<string, string>, key: string, value: string): void => {
            const before = kept.get(key) ?? value;
            if (before !== value) wrong.push(`${key} was ${before} and is ${value}`);
            kept.set(key, before);
          };
          const inputs = await db<{ key: string; by: string }[]>`
          select i.run_id || '/' || i.seq as key, i.taken_by_run || '/' || i.taken_by_step as by
          from run_inputs i join runs r on r.id = i.run_id where r.contact_id = ${contactId} and i.taken_by_step is not null`;
          for (const { key, by } of inputs) keep(taken, key, by);
          const steps = await db<{ key: string; port: string }[]>`
          select s.run_id || '/' || s.number as key, coalesce(s.port, '') || '/' || coalesce(s.reason, '') as port
          from run_steps s join runs r on r.id = s.run_id where r.contact_id = ${contactId} and s.status = 'done'`;
          for (const { key, port } of steps) keep(left, key, port);
          const [contact] = await db<
            { foreground: string | null; isSilent: boolean; isTorn: boolean; isHandedOver: boolean; untold: number }[]
          >`
          select c.foreground_run_id as foreground, h.id is not null or coalesce(c.automation_paused_until > now(), false) as is_silent,
            h.id is distinct from c.handover_id as is_torn, h.id is not null as is_handed_over,
            (select count(*)::int from handovers where contact_id = c.id)
              - (select count(*)::int from events where contact_id = c.id and name = 'handover_requested') as untold
          from contacts c left join handovers h on h.contact_id = c.id and h.status = 'open' where c.id = ${contactId}`;
          if (contact?.isTorn) wrong.push('the contact and its open handover do not name each other');
          if (contact?.untold !== 0) wrong.push(`${contact?.untold} handovers are told too seldom, or too often`);
          const foreground = contact?.foreground ?? null;
          const open = (await runs()).filter(({ endedAt }) => endedAt === null);
          for (const { id, rootRunId, waiting } of open) {
            if (waiting === 'handover' && !contact?.isHandedOver) wrong.push(`${id} waits for people who have gone`);
            if (waiting === 'silence' && !contact?.isSilent) wrong.push(`${id} is silent and need not be`);
            if (waiting === 'reply' && rootRunId !== foreground) wrong.push(`${id} asks and has not the conversation`);
            if (waiting === 'foreground' && foreground === null)
              wrong.push(`${id} waits for a conversation that is free`);
          }
          if (foreground !== null && !open.some(({ id }) => id === foreground)) wrong.push(`${foreground} has ended`);
          const unheard = await db<{ id: string }[]>`
          select r.id from runs r join run_inputs i on i.run_id = r.root_run_id
          where r.contact_id = ${contactId} and r.waiting = 'reply' and i.kind = 'reply' and i.taken_by_step is null
            and i.seq > r.after_seq`;
          const keys = shop.requests.map(({ headers }) => headers['idempotency-key']);
          if (new Set(keys).size < keys.length) wrong.push('a POST went out twice');
          if (!contact?.isSilent) wrong.push(...unheard.map(({ id }) => `${id} has an answer that it does not take`));
          return wrong;
        };

        for (const group of groups) {
          await Promise.all(group.map(carryOut));
          await settle();
          expect(await findWrong()).toEqual([]);
        }

        await carryOut({ type: 'silence', on: false });
        await carryOut({ type: 'people', on: false });
        for (const { id } of await runs()) await world.advance(id);
        for (let round = 0; round < 40; round += 1) {
          await settle();
          expect(await findWrong()).toEqual([]);
          const open = (await runs()).filter(({ endedAt }) => endedAt === null);
          if (open.length === 0) return;
          for (const { id, waiting, step } of open) {
            if (waiting === 'reply') await world.says(sender, '7');
            else if (waiting === 'event') await carryOut({ type: 'tag' });
            else if (waiting === 'call') await carryOut({ type: 'call', run: 0 });
            else if (waiting === 'delay') await world.advance(id, step);
            else if (waiting === 'silence' || waiting === 'handover') await carryOut({ type: 'people', on: false });
          }
        }
        expect((await runs()).filter(({ endedAt }) => endedAt === null)).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
}, 300_000);
