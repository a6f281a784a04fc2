import type { Client } from '@temporalio/client';
import { expect, vi } from 'vitest';
import { showId } from '../../../src/shared/ids.ts';
import { prepareRetry, startRetry } from '../../../src/shared/retries/manage.ts';
import type { FlowWorld } from '../../helpers/flow-world.ts';
import { anotherVersion } from '../../helpers/live-flows.ts';
import type { Receiver } from '../../helpers/receiver.ts';

type Walking = { flows: FlowWorld; client: Client; third: Receiver };

/**
 * Has workflows run in ways that no release had before 0.4.0: bulk retries, and runs that make a request for each item, by rules of success, and by a
 * retry policy. Answers the ids of those that have ended, by the names of their histories.
 */
export const walkUnreleased = async ({ flows, client, third }: Walking): Promise<Map<string, string>> => {
  const { db, accountId, dispatcher, transact } = flows;
  third.respondWith(({ path }, index) => {
    if (path.startsWith('/broken')) return 404;
    if (path === '/twice') return { type: 'respond', status: index % 2 === 0 ? 429 : 200, body: '{}' };
    return { type: 'respond', body: '{"ok": true}' };
  });
  const request = (path: string, more: object = {}) => [
    { id: 'call', type: 'external_request', method: 'PUT', url: third.url(path), ...more },
  ];
  const walk = async (blocks: Parameters<FlowWorld['enrolled']>[0], status: string) => {
    const { runId } = await flows.enrolled(blocks);
    await dispatcher.drain();
    await vi.waitFor(async () => expect((await flows.run(runId)).status).toBe(status), { timeout: 60_000 });
    return { runId, workflowId: `run/${showId('run', runId)}` };
  };
  const items = '["a", "broken", "c"]';
  const ended = new Map<string, string>();
  const note = async (name: string, ...walked: Parameters<typeof walk>) =>
    ended.set(name, (await walk(...walked)).workflowId);
  await note('run-flow.each-item', request('/{{item}}', { for_each: { items, on_error: 'continue' } }), 'completed');
  await note('run-flow.stopped-at-item', request('/{{item}}', { for_each: { items } }), 'failed');
  const rules = [{ path: '$.ok', op: 'is', value: false }];
  await note('run-flow.unsuccessful', request('/well', { success_when: { rules }, attempts: 1 }), 'failed');
  const policy = { attempts: 2, retry: { first_wait: 'PT1S', statuses: [429] } };
  await note('run-flow.retry-policy', request('/twice', policy), 'completed');

  const failed = await walk(request('/broken', { attempts: 1 }), 'failed');
  const { flowId } = await flows.run(failed.runId);
  await anotherVersion(db, { accountId, flowId, blocks: request('/fixed') });
  const all = { reasons: null, fromVersions: null, runIds: null };
  const prepared = await prepareRetry(db, { accountId, flowId, blockId: 'call', pace: 20, ...all });
  const retry = await transact((tx) => startRetry(tx, prepared));
  await dispatcher.drain();
  ended.set('retry-runs.finished', `retry/${showId('retry', retry.id)}`);
  await vi.waitFor(async () => expect((await flows.run(failed.runId)).status).toBe('completed'), { timeout: 60_000 });
  ended.set('run-flow.retried', `${failed.workflowId}/resume/1`);
  for (const workflowId of ended.values()) await client.workflow.getHandle(workflowId).result();
  return ended;
};
