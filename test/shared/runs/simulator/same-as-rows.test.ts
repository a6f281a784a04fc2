import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateHandoverSettings } from '../../../../src/shared/accounts/handover-settings.ts';
import { createField } from '../../../../src/shared/custom-fields/manage.ts';
import { changeFlow } from '../../../../src/shared/flows/manage.ts';
import { resolveHandover } from '../../../../src/shared/handovers/end.ts';
import { newUuid, showId } from '../../../../src/shared/ids.ts';
import { readSubject } from '../../../../src/shared/runs/simulator/read-subject.ts';
import { simulate } from '../../../../src/shared/runs/simulator/simulate.ts';
import type { Mock, Simulated, SimulatedInput, Simulation } from '../../../../src/shared/runs/simulator/simulation.ts';
import { applyTag } from '../../../../src/shared/tags/apply.ts';
import { aDefinition } from '../../../helpers/definitions.ts';
import { startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow } from '../../../helpers/live-flows.ts';
import { startReceiver, type Receiver } from '../../../helpers/receiver.ts';
import { ageCalls } from '../../../helpers/states/calls.ts';
import { untold } from '../../../helpers/untold.ts';
import { generatedActs, generatedFlow, type Act, type GeneratedFlow } from './generated-flows.ts';

/** How many flows are generated. CI has few; `SIMULATED_FLOWS=10000` takes its time. */
const flows = Number(process.env['SIMULATED_FLOWS'] ?? 60);

let world: FlowWorld;
let shop: Receiver;
beforeAll(async () => {
  world = await startWorld();
  shop = await startReceiver();
  const seen = new Set<string>();
  shop.respondWith(({ path, headers }) => {
    const [, kind = '', left = ''] = path.replace(/\?.*/, '').split('/');
    const key = String(headers['idempotency-key']);
    const isFirst = !seen.has(key);
    seen.add(key);
    return { type: 'respond', status: statusOf(kind, isFirst), body: `{"left": ${left}}` };
  });
});
afterAll(() => Promise.all([world.stop(), shop.close()]));

const startWorld = async (): Promise<FlowWorld> => {
  const started = await startFlowWorld();
  const { db, accountId } = started;
  for (const [key, type] of fieldTypes) await createField(untold(db), accountId, { key, name: key, type });
  await updateHandoverSettings(untold(db), accountId, { words: ['human'] });
  return started;
};

const fieldTypes = [
  ['note', 'text'],
  ['amount', 'number'],
  ['likes', 'list'],
  ['codes', 'json'],
] as const;

/** An account has 2,000 flows at most, with those in the archive. */
const flowsPerWorld = 1_500;

const statusOf = (kind: string, isFirst: boolean): number => {
  if (kind === 'later') return isFirst ? 503 : 200;
  return Number(kind);
};

/** The same answers as the receiver's. */
const mocksOf = ({ blocks }: GeneratedFlow): Record<string, Mock> =>
  Object.fromEntries(
    blocks.flatMap(({ id, type, url }) => {
      if (type !== 'external_request') return [];
      const [, kind = '', left = ''] = new URL(String(url)).pathname.split('/');
      const answer = (isFirst: boolean) => ({ status: statusOf(kind, isFirst), body: `{"left": ${left}}` });
      return [[id, Array.from({ length: 100 }, () => [answer(true), answer(false)])]];
    }),
  );

/** A contact in a flow, by its rows. */
const byRows = (sender: string, contactId: string) => {
  const { db, accountId, transact } = world;
  type Row = { id: string; resumes: number; step: number; waiting: string | null; woken: boolean; wakeAt: Date | null };
  const open = () => db<Row[]>`
    select id, resumes, step, waiting, woken, wake_at from runs where contact_id = ${contactId} and ended_at is null order by id`;
  /** As workflows do: passes of those that are woken or go on, then requests. */
  const settle = async (): Promise<void> => {
    for (;;) {
      const runs = await open();
      const next = runs.find(({ woken, waiting }) => woken || waiting === null);
      const calling = runs.find(({ waiting }) => waiting === 'call');
      if (next) await world.advance(next.id);
      else if (calling) {
        const run = { runId: showId('run', calling.id), resumes: calling.resumes };
        const { retryInMs } = await world.activities.callThirdParty(run, calling.step);
        if (retryInMs !== undefined) await ageCalls(db, calling.id, { seconds: retryInMs / 1_000 });
      } else return;
    }
  };
  const act = async (one: Act): Promise<void> => {
    if (one.type === 'says') await world.says(sender, one.text);
    if (one.type === 'tag') await transact((tx) => applyTag(tx, { accountId, contactId, name: one.name }));
    if (one.type === 'timer') {
      const [run] = await open();
      if (run) await world.advance(run.id, run.step);
    }
    if (one.type === 'resolve') {
      const handovers = await db<{ id: string }[]>`
        select id from handovers where contact_id = ${contactId} and status = 'open'`;
      for (const { id } of handovers) await transact((tx) => resolveHandover(tx, { accountId, id, outcome: '' }));
    }
    await settle();
  };
  const read = async () => {
    const steps = await db`
      select r.number as run, s.number, s.block_id, s.visit, s.status, s.port, s.reason, s.tries from run_steps s
      join (select id, row_number() over (order by id)::int as number from runs where contact_id = ${contactId}) r on r.id = s.run_id
      order by 1, 2`;
    const runs = await db<{ isOpen: boolean }[]>`
      select status, waiting, block_id, reason, ended_at is null as is_open from runs where contact_id = ${contactId} order by id`;
    const requests = await db`
      select q.block_id, item_index, method, try, status_code, q.reason, port from requests q join runs r on r.id = q.run_id
      where r.contact_id = ${contactId} order by q.id`;
    const [contact] = await db<{ fields: unknown; lastName: string | null; tags: string[] }[]>`
      select custom_fields as fields, last_name, array(
        select name from contact_tags join tags on id = tag_id where contact_id = c.id order by lower(name)) as tags
      from contacts c where id = ${contactId}`;
    const { isOpen: _, ...run } = runs.findLast(({ isOpen }) => isOpen) ?? runs.at(-1) ?? expect.fail('no run');
    return { run, steps: [...steps], texts: await world.sentTo(contactId), requests: [...requests], ...contact };
  };
  return { settle, act, read, open };
};

const shown = ({ status, waiting, blockId, reason, steps, messages, requests, contact }: Simulated) => ({
  run: { status, waiting, blockId, reason },
  steps: steps
    .map(({ enteredAt: _entered, leftAt: _left, order: _order, ...step }) => step)
    .toSorted((a, b) => a.run - b.run || a.number - b.number),
  texts: messages.map(({ text }) => text),
  requests: requests.map(({ blockId: at, itemIndex, method, attempt, statusCode, reason: why, port }) => ({
    blockId: at,
    itemIndex,
    method,
    try: attempt,
    statusCode,
    reason: why,
    port,
  })),
  fields: contact.fields,
  lastName: contact.lastName,
  tags: contact.tags.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
});

const simulated = async (simulation: Simulation): Promise<Simulated> => {
  const outcome = await simulate(simulation);
  return outcome.type === 'done' ? outcome.result : expect.fail('the simulation asks');
};

/** The input that an act is; undefined for a timer that nobody waits for. */
const inputOf = (act: Act, last: Simulated): SimulatedInput | undefined => {
  if (act.type === 'says') return { type: 'text', text: act.text };
  if (act.type === 'tag') return { type: 'event', name: 'tag_applied', data: { tag: { name: act.name } } };
  if (act.type === 'resolve') return { type: 'handover_ended', status: 'resolved' };
  const ms = last.wakeAt ? last.wakeAt.getTime() - last.now.getTime() : 0;
  return ms > 0 ? { type: 'after', ms } : undefined;
};

/** What each enrollment brings. */
const params = { sku: 'T', counts: [1, 4, 2] };

let counted = 0;

const compare = async (flow: GeneratedFlow, acts: readonly Act[]): Promise<void> => {
  if (counted % flowsPerWorld === flowsPerWorld - 1) {
    await world.stop();
    world = await startWorld();
  }
  const { db, accountId, transact } = world;
  const sender = newUuid();
  const { contactId } = await world.says(sender, 'hello');
  const id = await aFlow(db, accountId, flow);
  try {
    await compareIn({ id, sender, contactId }, flow, acts);
  } finally {
    // Its triggers are not for the next contacts.
    await transact((tx) => changeFlow(tx, { accountId, id }, 'archive'));
  }
  counted += 1;
};

const compareIn = async (
  { id, sender, contactId }: { id: string; sender: string; contactId: string },
  flow: GeneratedFlow,
  acts: readonly Act[],
): Promise<void> => {
  const { db, accountId } = world;
  const definition = aDefinition(flow.blocks, { triggers: flow.triggers, reentry: flow.reentry });
  const subject = await readSubject(db, { accountId, flowId: id, definition, uses: [], contact: contactId });
  const inputs: SimulatedInput[] = [];
  const given = { now: Date.now(), seed: '1', start: null, params, mocks: mocksOf(flow), real: null };
  const simulation = { ...subject, ...given, inputs };
  const rows = byRows(sender, contactId);
  await world.enrol(contactId, id, params);
  await rows.settle();
  let last = await simulated(simulation);
  for (const act of acts) {
    // Timers of several runs are due by one clock, which goes on in memory alone.
    if (act.type === 'timer' && (await rows.open()).length !== 1) continue;
    const input = inputOf(act, last);
    if (!input) continue;
    inputs.push(input);
    await rows.act(act);
    last = await simulated(simulation);
  }
  expect(shown(last)).toEqual(await rows.read());
};

test('steps, messages, fields, tags and requests of a simulation are those that the rows of a run have', async () => {
  await fc.assert(
    fc.asyncProperty(
      generatedFlow((path) => shop.url(path)),
      generatedActs,
      compare,
    ),
    { numRuns: flows },
  );
  expect(counted).toBeGreaterThanOrEqual(flows);
}, 3_600_000);
