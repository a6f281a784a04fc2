import { randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { showId } from '../../src/shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { startReceiver, verifySignature, type ReceivedRequest, type Receiver } from '../helpers/receiver.ts';
import { startDevServer, type DevServer } from '../helpers/temporal.ts';
import {
  endAll,
  parleyOf,
  present,
  startProcess,
  unpackRelease,
  type Env,
  type RunningProcess,
  type Version,
} from './installation.ts';

const secret = 'choose-a-long-secret';
const retryAfterMs = 30_000;
const begunByOld = 'fails once, begun by the old';
const begunByNew = 'fails once, begun by the new';
const replayed = 'replayed by the new';

let old: Version;
let database: TestDatabase;
let temporal: DevServer;
let receiver: Receiver;
let env: Env;

beforeAll(async () => {
  [old, database, temporal, receiver] = await Promise.all([
    unpackRelease('0.1.0'),
    createTestDatabase({ migrated: false }),
    startDevServer(),
    startReceiver(),
  ]);
  const ca = join(old.folder, 'ca.pem');
  await writeFile(ca, receiver.caPem);
  env = {
    DATABASE_URL: database.target,
    TEMPORAL_ADDRESS: temporal.address,
    MASTER_KEY: randomBytes(32).toString('base64'),
    EGRESS_ALLOW: '127.0.0.0/8',
    EGRESS_CA_FILE: ca,
    DATA_DIR: join(old.folder, 'data'),
  };
});
afterAll(async () => {
  await endAll();
  await Promise.all([receiver.close(), temporal.stop(), database.drop()]);
  await old.remove();
});

const body = z.object({ data: z.object({ message: z.object({ text: z.string() }) }) });
const withId = z.object({ id: z.string() });

const textOf = ({ rawBody }: ReceivedRequest): string => body.parse(JSON.parse(rawBody.toString())).data.message.text;
const received = (text: string): ReceivedRequest[] => receiver.requests.filter((request) => textOf(request) === text);

/** An account with a webhook and a channel, made by the first process, and used through any. */
const createAccount = async (api: RunningProcess) => {
  const created = await parleyOf(old, env, 'accounts', 'create', '--name', 'Acme', '--email', 'ada@example.com');
  const { api_key: key } = z.object({ api_key: z.string() }).parse(created);
  const request = async ({ url }: RunningProcess, method: string, path: string, sent?: unknown): Promise<unknown> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, { method, headers, body: sent ? JSON.stringify(sent) : null });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  await request(api, 'POST', '/v1/webhooks', { url: receiver.url('/hook'), events: ['new_message'], secret });
  const channel = withId.parse(await request(api, 'POST', '/v1/channels', { type: 'api', name: 'App' }));
  const sent: string[] = [];
  const send = async (through: RunningProcess, text: string): Promise<void> => {
    sent.push(text);
    const message = { message_id: text, sender: { external_id: 'ada' }, text };
    await request(through, 'POST', `/v1/channels/${channel.id}/inbound`, message);
  };
  return { sent, send, request };
};

/** Of every round of every delivery: how its workflow ended, and the tasks that failed, as one does that a version cannot go on with. */
const describeWorkflows = async () => {
  const rounds = await database.db<{ id: string; round: number }[]>`
    select id, generate_series(1, round) as round from deliveries`;
  return Promise.all(
    rounds.map(async ({ id, round }) => {
      const workflowId = `delivery/${showId('delivery', id)}${round === 1 ? '' : `/round/${round}`}`;
      const handle = temporal.client.workflow.getHandle(workflowId);
      const [{ status }, { events }] = [await handle.describe(), await handle.fetchHistory()];
      const failedTasks = (events ?? []).filter((event) => event.workflowTaskFailedEventAttributes).length;
      return { workflowId, status: status.name, failedTasks };
    }),
  );
};

const faultsOf = ({ log }: RunningProcess): string[] => log.filter((line) => /"level":"(error|fatal)"/.test(line));

describe('a rolling restart from 0.1.0', () => {
  test('delivers everything once, and makes the retries that one version owes under the other, on time', async () => {
    receiver.respondWith((request) => {
      const text = textOf(request);
      return text.startsWith('fails once') && received(text).length === 1 ? 500 : 200;
    });
    const [oldApi, oldWorker] = await Promise.all([
      startProcess(old, 'src/api/main.ts', env),
      startProcess(old, 'src/worker.ts', env),
    ]);
    const { sent, send, request } = await createAccount(oldApi);
    await send(oldApi, replayed);
    await receiver.waitFor(1, 10_000);
    await send(oldApi, begunByOld);
    await receiver.waitFor(2, 10_000);

    // Workers first, as docs/operations.md has it; the first new process migrates while the old ones serve.
    const newWorker = await startProcess(present, 'src/worker.ts', env);
    const applied = await database.db<{ name: string }[]>`select name from migrations order by name`;
    expect(applied.map(({ name }) => name)).toEqual((await readdir(join(present.folder, 'migrations'))).toSorted());
    await send(oldApi, 'old, on the migrated schema');
    const newApi = await startProcess(present, 'src/api/main.ts', env);
    await send(newApi, begunByNew);
    for (const index of [1, 2, 3, 4, 5]) {
      await send(oldApi, `old beside new ${index}`);
      await send(newApi, `new beside old ${index}`);
    }
    const { data: logged } = z
      .object({ data: z.array(withId) })
      .parse(await request(newApi, 'GET', '/v1/deliveries?limit=200'));
    await request(newApi, 'POST', `/v1/deliveries/${logged.at(-1)?.id}/replay`);
    await receiver.waitFor((requests) => requests.length > sent.length, 10_000);

    expect(await oldWorker.stop()).toBe(0);
    await send(oldApi, 'old API, without its worker');
    expect(await oldApi.stop()).toBe(0);
    await send(newApi, 'new alone');

    const { db } = database;
    const unfinished = () => db`select id from deliveries where status <> 'delivered' or sweep_at is not null`;
    await vi.waitFor(async () => expect(await unfinished()).toEqual([]), retryAfterMs + 10_000);
    const twice = [replayed, begunByOld, begunByNew];
    expect(Object.fromEntries(sent.map((text) => [text, received(text).length]))).toEqual(
      Object.fromEntries(sent.map((text) => [text, twice.includes(text) ? 2 : 1])),
    );
    for (const { rawBody, headers } of receiver.requests) {
      expect(verifySignature(rawBody, secret, headers['x-service-signature'])).toBe(true);
    }
    for (const text of [begunByOld, begunByNew]) {
      const [first, second] = received(text);
      const waitedMs = (second?.receivedAtMs ?? 0) - (first?.receivedAtMs ?? 0);
      expect(waitedMs).toBeGreaterThanOrEqual(retryAfterMs - 100);
      expect(waitedMs).toBeLessThan(retryAfterMs + 3_000);
    }

    const workflows = await describeWorkflows();
    expect(workflows).toHaveLength(sent.length + 1);
    expect(workflows.filter(({ status, failedTasks }) => status !== 'COMPLETED' || failedTasks > 0)).toEqual([]);

    const back = await startProcess(old, 'src/api/main.ts', env);
    expect([await newApi.stop(), await newWorker.stop()]).toEqual([0, 0]);
    await send(back, 'back to the old');
    await vi.waitFor(() => expect(received('back to the old')).toHaveLength(1), 10_000);
    expect(await back.stop()).toBe(0);
    for (const process of [oldApi, oldWorker, newApi, newWorker, back]) expect(faultsOf(process)).toEqual([]);
  }, 90_000);
});
