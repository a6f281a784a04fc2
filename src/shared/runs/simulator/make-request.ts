import { afterAttempt, type Port } from '../../external-requests/after-attempt.ts';
import { attemptRequest, type MadeAttempt } from '../../external-requests/attempt-request.ts';
import { requestLimits } from '../../external-requests/log.ts';
import type { MappedField } from '../../external-requests/map-response.ts';
import { renderRequest, type RenderedRequest } from '../../external-requests/render-request.ts';
import { addResults, fieldsOfItem, fieldsOfResults, type Results } from '../../external-requests/results.ts';
import { showAttempt, showUnrendered, type ShownAttempt } from '../../external-requests/show-attempt.ts';
import { isExternalRequest } from '../../flows/blocks/external-request.ts';
import type { BlockContext } from '../../flows/blocks/context.ts';
import { fieldsOf, type FieldsInZone } from '../../flows/blocks/fields.ts';
import { afterItem, listItems, withItem, type Item } from '../../flows/blocks/for-each.ts';
import type { ExternalRequest } from '../../flows/blocks/request-schema.ts';
import { scopeOf } from '../../flows/blocks/scope.ts';
import { createToken } from '../../platform/secrets/tokens.ts';
import type { StepState } from '../engine/run-state.ts';
import { withAnswer } from '../requests/at-request.ts';
import type { Answer } from '../requests/rounds.ts';
import { failRun, makePass } from './make-pass.ts';
import { answerAs, mockOfVisit } from './mocks.ts';
import {
  simulationLimits,
  type MockAnswer,
  type RealRequest,
  type SimulatedRequest,
  type Simulation,
} from './simulation.ts';
import { Stopped } from './stop.ts';
import { nextOrder, snapshotOf, type SimulatedRun, type World } from './world.ts';

/** The simulation needs the answer of another service before it goes on. */
export class NeedsAnswer extends Error {
  readonly request: RealRequest;

  constructor(request: RealRequest) {
    super('the simulation needs an answer');
    this.request = request;
  }
}

/**
 * Makes the request of a block as a run does: rendered once, with the same attempts after the same waits, which the simulation's clock passes at
 * once; with `for_each` for one item after the other. A mock answers it, else another service, where that is wanted. Throws `Stopped` where nobody
 * answers, and `NeedsAnswer`.
 */
export const makeRequest = async (world: World, run: SimulatedRun): Promise<void> => {
  const snapshot = snapshotOf(world, run);
  const { step, context } = snapshot;
  const { config } = world.plan.get(step?.blockId ?? '');
  if (!step || !isExternalRequest(config)) throw new TypeError('the block makes no request');
  if (countRequests(world, run) >= requestLimits.perRun) return failRun(world, run, snapshot, 'call_limit');
  const { for_each: forEach } = config;
  const listed = forEach ? listItems(forEach, scopeOf(context)) : undefined;
  if (listed?.ok === false) {
    waitForHour(world, run);
    const problem = { place: 'for_each.items', message: listed.message };
    const shown = { ...showUnrendered(config, problem), reason: 'items' };
    keepRequest(world, run, { step, attempt: 1, shown, port: 'error' });
    return makePass(world, run, withAnswer(snapshot, { port: 'error', reason: 'items' }));
  }
  const known = fieldsOf(context);
  const leave = (answer: Answer): void => makePass(world, run, withAnswer(snapshotOf(world, run), answer));
  if (!forEach || !listed) return leave(await makeRound(world, { run, step, config, known }));
  let results: Results = {};
  const count = listed.items.length;
  for (const [index, value] of listed.items.entries()) {
    if (countRequests(world, run) >= requestLimits.perRun)
      return failRun(world, run, snapshotOf(world, run), 'call_limit');
    const item = { index, value };
    const ended = await makeRound(world, { run, step, config, known: fieldsOfItem(known), item });
    const added = addResults(config, results, { mapped: ended.fields, known });
    ({ results } = added);
    const failed = added.problem !== undefined && ended.port === 'success';
    if (failed) correctRequest(world, { reason: 'mapping', detail: added.problem ?? null, port: 'error' });
    const leaves = afterItem(forEach, { index, count }, failed ? { port: 'error', reason: 'mapping' } : ended);
    if (leaves) return leave({ ...leaves, fields: fieldsOfResults(config, results, known) });
  }
  return leave({ port: 'success', fields: fieldsOfResults(config, results, known) });
};

type Round = { run: SimulatedRun; step: StepState; config: ExternalRequest; known: FieldsInZone; item?: Item };

type Ended = { port: Port; reason?: string | undefined; fields: readonly MappedField[] };

/** Makes one request, with all its attempts. */
const makeRound = async (world: World, round: Round): Promise<Ended> => {
  const { run, step, config, item } = round;
  waitForHour(world, run);
  const { context } = snapshotOf(world, run);
  const asked = (world.asked.get(config.id) ?? 0) + 1;
  const mock = mockOfVisit(world.given.mocks[config.id], asked);
  const { real } = world.given;
  const ofVisit = `${context.run.id}:${step.blockId}:${step.visit}`;
  const ofRun = item ? `${ofVisit}:${item.index}` : ofVisit;
  // Services answer a key that they know with what they have stored: no other simulation may send the same one.
  const idempotencyKey = real && !mock ? `simulation:${real.key}:${ofRun}` : ofRun;
  const scope = withItem(scopeOf(context), item);
  const result = renderRequest(config, { scope, v: context.v, idempotencyKey, nonce: createToken('') });
  if (!result.ok) {
    keepRequest(world, run, { ...round, attempt: 1, shown: showUnrendered(config, result.problem), port: 'error' });
    return { port: 'error', reason: 'invalid_request', fields: [] };
  }
  const toMake = { ...round, rendered: result.request, context };
  world.asked.set(config.id, asked);
  if (mock) return tryMocks(world, toMake, mock);
  return real ? takeRealAnswer(world, toMake, real) : stopUnanswered(world, toMake);
};

type ToMake = Round & { rendered: RenderedRequest; context: BlockContext };

const tryMocks = async (world: World, toMake: ToMake, mock: readonly MockAnswer[]): Promise<Ended> => {
  const { run, config, rendered } = toMake;
  for (let attempt = 1; ; attempt += 1) {
    const made = await tryMock(world, toMake, mock[Math.min(attempt, mock.length) - 1]);
    const after = afterAttempt(config, attempt, made.outcome);
    const port = after.type === 'port' ? after.port : null;
    const shown = { ...showAttempt(rendered, made), durationMs: 0 };
    keepRequest(world, run, { ...toMake, attempt, shown, port });
    if (made.outcome.type === 'failed' && made.outcome.reason === 'timeout') passMs(world, config.timeout_ms);
    if (after.type === 'port')
      return { port: after.port, reason: after.reason, fields: made.mapped.ok ? made.mapped.fields : [] };
    passMs(world, after.inMs);
  }
};

/** Makes an attempt by the code of a real one. */
const tryMock = async (
  world: World,
  { config, rendered, known, context: { v } }: ToMake,
  answer: MockAnswer = { timeout: true },
): Promise<MadeAttempt> => {
  const { credentials, now } = world;
  const toSend = { accountId: 'simulation', config, rendered, credentials, known, v, now };
  const made = await attemptRequest(answerAs(answer), toSend);
  if (made.type === 'busy') throw new TypeError('a mock is never busy');
  return made;
};

/** Ends the simulation, unless the request could not be sent in any case. */
const stopUnanswered = async (world: World, toMake: ToMake): Promise<Ended> => {
  const { run, rendered } = toMake;
  const made = await tryMock(world, toMake);
  if (made.result.type === 'failed' && !made.result.requestSent) return tryMocks(world, toMake, []);
  const shown = { ...showAttempt(rendered, made), durationMs: 0, reason: null, detail: null };
  keepRequest(world, run, { ...toMake, attempt: 1, shown, port: null });
  throw new Stopped('mock', null);
};

/** One attempt alone is really made. */
const takeRealAnswer = async (world: World, toMake: ToMake, real: NonNullable<Simulation['real']>): Promise<Ended> => {
  const { run, step, config, rendered, known, context, item } = toMake;
  const answer = real.answers[world.usedAnswers];
  if (!answer) {
    if (real.over !== undefined) throw new Stopped('limit', real.over);
    if (world.usedAnswers === real.most) return stopUnanswered(world, toMake);
    if (world.usedAnswers >= simulationLimits.realRequests) throw new Stopped('limit', 'request_limit');
    const place = { run: run.number, visit: step.visit, itemIndex: item?.index ?? null, sentAt: world.now.getTime() };
    throw new NeedsAnswer({ ...place, config, rendered, timeZone: known.timeZone, v: context.v });
  }
  world.usedAnswers += 1;
  const { port, reason, fields, shown } = answer;
  keepRequest(world, run, { ...toMake, attempt: 1, shown, port, isReal: true });
  passMs(world, shown.durationMs);
  return { port, reason, fields };
};

type Kept = Pick<Round, 'step' | 'item'> & { attempt: number; shown: ShownAttempt; port: Port | null; isReal?: true };

const keepRequest = (world: World, run: SimulatedRun, { step, item, attempt, shown, port, isReal }: Kept): void => {
  const { blockId, visit } = step;
  world.requests.push({
    ...shown,
    run: run.number,
    blockId,
    visit,
    itemIndex: item?.index ?? null,
    attempt,
    isMocked: !isReal,
    order: nextOrder(world),
    sentAt: world.now,
    port,
  });
};

/** Says of the latest request what its item came to. */
const correctRequest = (world: World, changes: Pick<SimulatedRequest, 'reason' | 'detail' | 'port'>): void => {
  const last = world.requests.pop();
  if (last) world.requests.push({ ...last, ...changes });
};

const passMs = (world: World, ms: number): void => {
  world.now = new Date(world.now.getTime() + ms);
};

const requestsOf = ({ requests }: World, { number }: SimulatedRun) => requests.filter(({ run }) => run === number);

const countRequests = (world: World, run: SimulatedRun): number => requestsOf(world, run).length;

/** As `countRequests` of the log has a run wait that makes many requests. */
const waitForHour = (world: World, run: SimulatedRun): void => {
  const first = requestsOf(world, run).at(-requestLimits.perHour);
  const freeAt = first && first.sentAt.getTime() + 3_600_000;
  if (freeAt !== undefined && freeAt > world.now.getTime()) world.now = new Date(freeAt);
};
