import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateHandoverSettings } from '../../../../src/shared/accounts/handover-settings.ts';
import { updateContact } from '../../../../src/shared/contacts/queries.ts';
import { createField } from '../../../../src/shared/custom-fields/manage.ts';
import { changeFlow } from '../../../../src/shared/flows/manage.ts';
import { newUuid } from '../../../../src/shared/ids.ts';
import { readSubject } from '../../../../src/shared/runs/simulator/read-subject.ts';
import { simulate } from '../../../../src/shared/runs/simulator/simulate.ts';
import type { Mock, Simulated, SimulatedInput, Simulation } from '../../../../src/shared/runs/simulator/simulation.ts';
import { aDefinition } from '../../../helpers/definitions.ts';
import { startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow } from '../../../helpers/live-flows.ts';
import { moveClock } from '../../../helpers/movable-clock.ts';
import { startReceiver, type Receiver } from '../../../helpers/receiver.ts';
import { untold } from '../../../helpers/untold.ts';
import { areNear, expectSame, toleranceMs } from './expect-same.ts';
import {
  generatedActs,
  generatedBeginning,
  generatedFlow,
  type Act,
  type Beginning,
  type GeneratedFlow,
} from './generated-flows.ts';
import { place, walkRows, type Timer } from './walk-rows.ts';
import { noLinks } from '../../../helpers/no-links.ts';

/** How many flows are generated. CI has few; `SIMULATED_FLOWS=10000` takes its time. `SIMULATED_SEED` generates the same ones again. */
const flows = Number(process.env['SIMULATED_FLOWS'] ?? 60);
const seed = process.env['SIMULATED_SEED'];

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
    if (kind === 'reset') return { type: 'reset' };
    return { type: 'respond', status: statusOf(kind, isFirst), body: `{"left": ${left}}` };
  });
});
afterAll(() => Promise.all([world.stop(), shop.close()]));

const startWorld = async (): Promise<FlowWorld> => {
  const started = await startFlowWorld({ movesClock: true });
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

/** More than the runs of a contact make: each fails after 500. */
const visits = 5_000;

/** The same answers as the receiver's. */
const mockOf = (kind: string, left: string): Mock => {
  if (kind === 'reset') return { fails: 'reset' };
  const answer = (isFirst: boolean) => ({ status: statusOf(kind, isFirst), body: `{"left": ${left}}` });
  return kind === 'later' ? Array.from({ length: visits }, () => [answer(true), answer(false)]) : answer(true);
};

const mocksOf = ({ blocks }: GeneratedFlow): Record<string, Mock> =>
  Object.fromEntries(
    blocks.flatMap(({ id, type, url }) => {
      if (type !== 'external_request') return [];
      const [, kind = '', left = ''] = new URL(String(url)).pathname.split('/');
      return [[id, mockOf(kind, left)]];
    }),
  );

const simulated = async (simulation: Simulation): Promise<Simulated> => {
  const outcome = await simulate(simulation);
  return outcome.type === 'done' ? outcome.result : expect.fail('the simulation asks');
};

/** What passes before an act, so that waits begin at times that differ, in ms. */
const pauseMs = 2 * toleranceMs;

/**
 * When the next timer has fired, and those that are due at nearly the same time. Undefined where there is none, and where nobody can say which comes
 * first: those that have begun together are in order.
 */
const timeOfNext = ([first, ...later]: readonly Timer[]): Date | undefined => {
  if (!first) return undefined;
  let last = first;
  for (const timer of later) {
    if (!areNear(timer.wakeAt, last.wakeAt)) break;
    if (!areNear(timer.since, first.since)) return undefined;
    last = timer;
  }
  return last.wakeAt;
};

/** The input that an act is. */
const inputOf = (act: Exclude<Act, { type: 'timer' }>): SimulatedInput => {
  if (act.type === 'says') return { type: 'text', text: act.text };
  if (act.type === 'shares') return { type: 'text', text: '', attachments: [place] };
  if (act.type === 'tag') return { type: 'event', name: 'tag_applied', data: { tag: { name: act.name } } };
  return { type: 'handover_ended', status: 'resolved' };
};

/** What each enrollment brings. */
const params = { sku: 'T', counts: [1, 4, 2] };

let counted = 0;

const compare = async (flow: GeneratedFlow, acts: readonly Act[], beginning: Beginning): Promise<void> => {
  if (counted % flowsPerWorld === flowsPerWorld - 1) {
    await world.stop();
    world = await startWorld();
  }
  const { db, accountId, transact } = world;
  const sender = newUuid();
  const at = new Date(beginning.at);
  await moveClock(db, at);
  const { contactId } = await world.says(sender, 'hello');
  const paused = { automation_paused_until: new Date(at.getTime() + beginning.pausedForMs).toISOString() };
  await transact((tx) => updateContact(tx, { accountId, id: contactId, changes: paused }));
  const id = await aFlow(db, accountId, flow);
  try {
    await compareIn({ id, sender, contactId }, flow, acts);
  } finally {
    // Its triggers are not for the next contacts.
    await transact((tx) => changeFlow(tx, { accountId, id }, 'archive'));
  }
  counted += 1;
};

/** Flows here send none of the account's. */
const noFiles = { values: [], lastingLinkTo: noLinks, baseUrl: 'https://parley.example' };

const compareIn = async (
  { id, sender, contactId }: { id: string; sender: string; contactId: string },
  flow: GeneratedFlow,
  acts: readonly Act[],
): Promise<void> => {
  const { db, accountId } = world;
  const definition = aDefinition(flow.blocks, { triggers: flow.triggers, reentry: flow.reentry });
  const subject = await readSubject(db, {
    accountId,
    flowId: id,
    definition,
    uses: [],
    contact: contactId,
    ...noFiles,
  });
  const rows = walkRows(world, { sender, contactId });
  const inputs: SimulatedInput[] = [];
  const now = (await rows.now()).getTime();
  const simulation = { ...subject, now, seed: '1', start: null, params, mocks: mocksOf(flow), real: null, inputs };
  await world.enrol(contactId, id, params);
  await rows.passTo(new Date(now));
  let last = await simulated(simulation);
  const passTo = async (at: Date): Promise<void> => {
    inputs.push({ type: 'after', ms: Math.max(0, at.getTime() - last.now.getTime()) });
    await rows.passTo(at);
    last = await simulated(simulation);
  };
  /** Both clocks show the same time, which is a little later. */
  const pause = async (): Promise<void> => {
    const at = Math.max((await rows.now()).getTime(), last.now.getTime());
    const [next] = await rows.timers();
    await passTo(new Date(next && next.wakeAt.getTime() < at + 2 * pauseMs ? at : at + pauseMs));
  };
  for (const act of acts) {
    if (last.waiting === 'limit') break;
    await pause();
    if (act.type === 'timer') {
      const at = timeOfNext(await rows.timers());
      if (at) await passTo(at);
    } else {
      inputs.push(inputOf(act));
      await rows.act(act);
      last = await simulated(simulation);
    }
  }
  if (last.waiting !== 'limit') await pause();
  expectSame(last, inputs, await rows.read());
};

test('steps, messages, fields, tags and requests of a simulation are those that the rows of a run have', async () => {
  await fc.assert(
    fc.asyncProperty(
      generatedFlow((path) => shop.url(path)),
      generatedActs,
      generatedBeginning,
      compare,
    ),
    { numRuns: flows, ...(seed !== undefined && { seed: Number(seed) }) },
  );
  expect(counted).toBeGreaterThanOrEqual(flows);
}, 3_600_000);
