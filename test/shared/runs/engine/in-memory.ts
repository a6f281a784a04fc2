import { expect } from 'vitest';
import { afterAttempt } from '../../../../src/shared/external-requests/after-attempt.ts';
import { attemptRequest } from '../../../../src/shared/external-requests/attempt-request.ts';
import { renderRequest } from '../../../../src/shared/external-requests/render-request.ts';
import type { BlockContext, Input } from '../../../../src/shared/flows/blocks/block.ts';
import { isExternalRequest } from '../../../../src/shared/flows/blocks/external-request.ts';
import { fieldsOf } from '../../../../src/shared/flows/blocks/fields.ts';
import { scopeOf } from '../../../../src/shared/flows/blocks/scope.ts';
import { parseDefinition } from '../../../../src/shared/flows/definition/definition.ts';
import { planOf } from '../../../../src/shared/flows/definition/plan.ts';
import type { Egress } from '../../../../src/shared/platform/egress/client.ts';
import { interpret } from '../../../../src/shared/runs/engine/interpret.ts';
import type { Pass } from '../../../../src/shared/runs/engine/pass.ts';
import type { StepState } from '../../../../src/shared/runs/engine/run-state.ts';
import type { RunSnapshot } from '../../../../src/shared/runs/engine/snapshot.ts';
import { withAnswer } from '../../../../src/shared/runs/requests/at-request.ts';
import { aSnapshot, snapshotAfter } from './snapshots.ts';

type Answer = { status: number; body: string };

type Options = {
  definition: unknown;
  context: BlockContext;
  /** Answers the requests in the place of other services. */
  answer: (request: { method: string; url: string; body: string }) => Answer;
};

/**
 * Drives a run in memory: `interpret` decides over snapshots of its own passes, requests are rendered and mapped as those of a run and answered by the
 * test, and the clock moves when a timer fires. It has no database and no workflow.
 */
export const driveInMemory = ({ definition, context, answer }: Options) => {
  const plan = planOf(parseDefinition(definition));
  const passes: Pass[] = [];
  const texts: string[] = [];
  let seq = 10;
  let sentSeq = seq;
  let inputs: RunSnapshot['inputs'] = [];

  const keep = (pass: Pass): Pass => {
    passes.push(pass);
    ({ inputs } = pass);
    for (const effect of pass.effects) {
      if (effect.type !== 'send') continue;
      seq += effect.messages.length;
      sentSeq = seq;
      texts.push(...effect.messages.map(({ text }) => text));
    }
    return pass;
  };

  const after = (last: Pass, changes: Partial<RunSnapshot> & { now?: Date }): RunSnapshot =>
    snapshotAfter(last, { sentSeq, inputs, now: last.context.now, ...changes });

  /** Makes passes and requests until the run waits or is over. */
  const goOn = async (first: RunSnapshot): Promise<Pass> => {
    let pass = keep(interpret(first));
    while (pass.next.type === 'more' || pass.next.type === 'call') {
      const next = after(pass, {});
      pass = keep(interpret(pass.next.type === 'call' ? await request(next) : next));
    }
    return pass;
  };

  const request = async (snapshot: RunSnapshot): Promise<RunSnapshot> => {
    const { config, v } = plan.get(snapshot.step?.blockId ?? '');
    if (!isExternalRequest(config)) return expect.fail('no request');
    const { context: seen } = snapshot;
    const rendered = renderRequest(config, { scope: scopeOf(seen), v, idempotencyKey: 'key', nonce: 'nonce' });
    if (!rendered.ok) return withAnswer(snapshot, { port: 'error', reason: 'invalid_request' });
    for (let number = 1; ; number += 1) {
      const toMake = { accountId: 'account', config, rendered: rendered.request, credentials: new Map(), v };
      const made = await attemptRequest(mocked(answer), { ...toMake, known: fieldsOf(seen) });
      if (made.type === 'busy') return expect.fail('a mock is never busy');
      const outcome = afterAttempt(config, number, made.outcome);
      if (outcome.type === 'port')
        return withAnswer(snapshot, { ...outcome, fields: made.mapped.ok ? made.mapped.fields : [] });
    }
  };

  const last = (): Pass => passes.at(-1) ?? expect.fail('the run has not begun');

  return {
    begins: () => goOn({ ...aSnapshot({ plan, run: { lastSeq: seq, afterSeq: seq, eventSeq: seq } }), context }),
    /** Only a run that has the conversation gets what its contact says. */
    says: async (...said: readonly string[]): Promise<Pass> => {
      const { foreground, run } = last();
      if (foreground !== run.rootRunId) return last();
      const replies = said.map((text): Input & { type: 'reply' } => ({ type: 'reply', seq: (seq += 1), text }));
      return goOn(after(last(), { inputs: [...inputs, ...replies] }));
    },
    timerFires: (): Promise<Pass> => {
      const { next, run } = last();
      const at = next.type === 'wait' ? next.dueAt : undefined;
      return goOn(after(last(), { due: run.step, now: new Date(at ?? expect.fail('no timer')) }));
    },
    texts,
    steps: (): StepState[] => {
      const latest = new Map(passes.flatMap(({ steps }) => steps.map((step) => [step.number, step] as const)));
      return [...latest.values()];
    },
    contact: () => last().context.contact,
  };
};

const mocked = (answer: Options['answer']): Pick<Egress, 'request'> => ({
  request: async ({ method, url, body }) => {
    const given = answer({ method, url, body: new TextDecoder().decode(body ?? new Uint8Array()) });
    const bytes = new TextEncoder().encode(given.body);
    return { type: 'answered', status: given.status, headers: {}, body: bytes, bodyTruncated: false, durationMs: 1 };
  },
});
