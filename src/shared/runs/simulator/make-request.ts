import { afterAttempt, type Port } from '../../external-requests/after-attempt.ts';
import { attemptRequest, type MadeAttempt } from '../../external-requests/attempt-request.ts';
import { requestLimits } from '../../external-requests/log.ts';
import { renderRequest, type RenderedRequest } from '../../external-requests/render-request.ts';
import { showAttempt, showUnrendered, type ShownAttempt } from '../../external-requests/show-attempt.ts';
import { isExternalRequest } from '../../flows/blocks/external-request.ts';
import { fieldsOf } from '../../flows/blocks/fields.ts';
import type { ExternalRequest } from '../../flows/blocks/request-schema.ts';
import { scopeOf } from '../../flows/blocks/scope.ts';
import { createToken } from '../../platform/secrets/tokens.ts';
import type { StepState } from '../engine/run-state.ts';
import type { RunSnapshot } from '../engine/snapshot.ts';
import { withAnswer } from '../requests/at-request.ts';
import { failRun, makePass } from './make-pass.ts';
import { answerAs, mockOfVisit } from './mocks.ts';
import { simulationLimits, type MockAnswer, type RealRequest, type Simulation } from './simulation.ts';
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
 * once. A mock answers it, else another service, where that is wanted. Throws `Stopped` where nobody answers, and `NeedsAnswer`.
 */
export const makeRequest = async (world: World, run: SimulatedRun): Promise<void> => {
  const snapshot = snapshotOf(world, run);
  const { step } = snapshot;
  const { config } = world.plan.get(step?.blockId ?? '');
  if (!step || !isExternalRequest(config)) throw new TypeError('the block makes no request');
  if (countRequests(world, run) >= requestLimits.perRun) return failRun(world, run, snapshot, 'call_limit');
  waitForHour(world, run);
  const { context } = snapshot;
  const visit = (world.asked.get(config.id) ?? 0) + 1;
  const mock = mockOfVisit(world.given.mocks[config.id], visit);
  const { real } = world.given;
  const ofRun = `${context.run.id}:${step.blockId}:${step.visit}`;
  // Services answer a key that they know with what they have stored: no other simulation may send the same one.
  const idempotencyKey = real && !mock ? `simulation:${real.key}:${ofRun}` : ofRun;
  const options = { scope: scopeOf(context), v: context.v, idempotencyKey, nonce: createToken('') };
  const result = renderRequest(config, options);
  if (!result.ok) {
    keepRequest(world, run, { step, attempt: 1, shown: showUnrendered(config, result.problem), port: 'error' });
    return makePass(world, run, withAnswer(snapshot, { port: 'error', reason: 'invalid_request' }));
  }
  const toMake = { run, step, config, rendered: result.request, snapshot };
  world.asked.set(config.id, visit);
  if (mock) return tryMocks(world, toMake, mock);
  return real ? takeRealAnswer(world, toMake, real) : stopUnanswered(world, toMake);
};

type ToMake = {
  run: SimulatedRun;
  step: StepState;
  config: ExternalRequest;
  rendered: RenderedRequest;
  snapshot: RunSnapshot;
};

const tryMocks = async (world: World, toMake: ToMake, mock: readonly MockAnswer[]): Promise<void> => {
  const { run, step, config, rendered } = toMake;
  for (let attempt = 1; ; attempt += 1) {
    const made = await tryMock(world, toMake, mock[Math.min(attempt, mock.length) - 1]);
    const after = afterAttempt(config, attempt, made.outcome);
    const port = after.type === 'port' ? after.port : null;
    keepRequest(world, run, { step, attempt, shown: { ...showAttempt(rendered, made), durationMs: 0 }, port });
    if (made.outcome.type === 'failed' && made.outcome.reason === 'timeout') passMs(world, config.timeout_ms);
    if (after.type === 'port') {
      const fields = made.mapped.ok ? made.mapped.fields : [];
      return makePass(world, run, withAnswer(snapshotOf(world, run), { ...after, fields }));
    }
    passMs(world, after.inMs);
  }
};

/** Makes an attempt by the code of a real one. */
const tryMock = async (
  world: World,
  { config, rendered, snapshot: { context } }: ToMake,
  answer: MockAnswer = { timeout: true },
): Promise<MadeAttempt> => {
  const { credentials, now } = world;
  const known = fieldsOf(context);
  const toSend = { accountId: 'simulation', config, rendered, credentials, known, v: context.v, now };
  const made = await attemptRequest(answerAs(answer), toSend);
  if (made.type === 'busy') throw new TypeError('a mock is never busy');
  return made;
};

/** Ends the simulation, unless the request could not be sent in any case. */
const stopUnanswered = async (world: World, toMake: ToMake): Promise<void> => {
  const { run, step, rendered } = toMake;
  const made = await tryMock(world, toMake);
  if (made.result.type === 'failed' && !made.result.requestSent) return tryMocks(world, toMake, []);
  const shown = { ...showAttempt(rendered, made), durationMs: 0, reason: null, detail: null };
  keepRequest(world, run, { step, attempt: 1, shown, port: null });
  throw new Stopped('mock', null);
};

/** One attempt alone is really made. */
const takeRealAnswer = async (world: World, toMake: ToMake, real: NonNullable<Simulation['real']>): Promise<void> => {
  const { run, step, config, rendered, snapshot } = toMake;
  const answer = real.answers[world.usedAnswers];
  if (!answer) {
    if (real.over !== undefined) throw new Stopped('limit', real.over);
    if (world.usedAnswers === real.most) return stopUnanswered(world, toMake);
    if (world.usedAnswers >= simulationLimits.realRequests) throw new Stopped('limit', 'request_limit');
    const place = { run: run.number, visit: step.visit, sentAt: world.now.getTime() };
    const { timeZone } = fieldsOf(snapshot.context);
    throw new NeedsAnswer({ ...place, config, rendered, timeZone, v: snapshot.context.v });
  }
  world.usedAnswers += 1;
  const { port, reason, fields, shown } = answer;
  keepRequest(world, run, { step, attempt: 1, shown, port, isReal: true });
  passMs(world, shown.durationMs);
  makePass(world, run, withAnswer(snapshotOf(world, run), { port, reason, fields }));
};

type Kept = { step: StepState; attempt: number; shown: ShownAttempt; port: Port | null; isReal?: true };

const keepRequest = (world: World, run: SimulatedRun, { step, attempt, shown, port, isReal }: Kept): void => {
  const { blockId, visit } = step;
  world.requests.push({
    ...shown,
    run: run.number,
    blockId,
    visit,
    attempt,
    isMocked: !isReal,
    order: nextOrder(world),
    sentAt: world.now,
    port,
  });
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
