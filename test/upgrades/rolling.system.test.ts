import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { showId } from '../../src/shared/ids.ts';
import { listMigrations } from '../../src/shared/platform/db/migrate.ts';
import { parleyHere } from '../cli/parley.ts';
import type { ParleyProcess } from '../helpers/parley-process.ts';
import { verifySignature, type ReceivedRequest, type Receiver } from '../helpers/receiver.ts';
import { present, type Version } from './installation.ts';
import {
  createAccountOfOld,
  describeWorkflow,
  faultsOf,
  prepareRolling,
  startVersion,
  type Rolling,
} from './rolling.ts';

const secret = 'choose-a-long-secret';
const retryAfterMs = 30_000;
/** Of a sample event. */
const textOfTests = 'Hello! This is a test event from Parley.';
const begunByOld = 'fails twice, begun by the old';
const begunByNew = 'fails twice, begun by the new';
const replayed = 'replayed by the new';
const replayedInBulk = [1, 2, 3].map((number) => `replayed in bulk ${number}`);

let rolling: Rolling;
let old: Version;
let receiver: Receiver;

beforeAll(async () => {
  rolling = await prepareRolling('0.3.0');
  ({ old, receiver } = rolling);
});
afterAll(() => rolling.close());

const body = z.object({ data: z.object({ message: z.object({ text: z.string() }) }) });
const withId = z.object({ id: z.string() });
const withFields = z.object({ custom_fields: z.record(z.string(), z.unknown()) });

const textOf = ({ rawBody }: ReceivedRequest): string => body.parse(JSON.parse(rawBody.toString())).data.message.text;
const received = (text: string): ReceivedRequest[] => receiver.requests.filter((request) => textOf(request) === text);
const deliveryOf = (text: string): string => String(received(text)[0]?.headers['webhook-id']);

const start = (version: Version, main: 'src/api/main.ts' | 'src/worker.ts') => startVersion(rolling, version, main);

const findings = z.object({
  findings: z.array(z.object({ part: z.string(), state: z.string(), message: z.string() })),
});

/** What the doctor of this version says of who is there, where `api` is asked. */
const examined = async ({ url }: ParleyProcess): Promise<string[][]> => {
  const { json } = await parleyHere({ ...rolling.env, BASE_URL: url }, 'doctor', '--json');
  return findings
    .parse(json())
    .findings.filter(({ part }) => part === 'Processes' || part === 'Service')
    .map(({ part, state, message }) => [part, state, message]);
};

/** An account with a webhook and a channel, made by the first process, and used through any. */
const createAccount = async (api: ParleyProcess) => {
  const request = await createAccountOfOld(rolling);
  const hook = { url: receiver.url('/hook'), events: ['new_message'], secret };
  const { id: webhookId } = withId.parse(await request(api, 'POST', '/v1/webhooks', hook));
  const channel = withId.parse(await request(api, 'POST', '/v1/channels', { type: 'api', name: 'App' }));
  const sent: string[] = [];
  const send = async (through: ParleyProcess, text: string): Promise<void> => {
    sent.push(text);
    const message = { message_id: text, sender: { external_id: 'ada' }, text };
    await request(through, 'POST', `/v1/channels/${channel.id}/inbound`, message);
  };
  /** The first attempt and one by hand fail; the ladder's retry is still owed then. */
  const failTwice = async (through: ParleyProcess, text: string): Promise<void> => {
    await send(through, text);
    await receiver.waitFor(() => received(text).length === 1);
    // 409 until the failure is recorded.
    await vi.waitFor(() => request(through, 'POST', `/v1/deliveries/${deliveryOf(text)}/retry`), 60_000);
    await receiver.waitFor(() => received(text).length === 2);
  };
  return { sent, send, failTwice, request, webhookId };
};

/** Asks for the mail that sets a new password of the account's owner. */
const forgetPassword = async ({ url }: ParleyProcess): Promise<void> => {
  const answer = await fetch(`${url}/dashboard/api/password-reset`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com' }),
  });
  expect(answer.status).toBe(204);
};

/** All mails that the processes have written to files, in one text. */
const mailsWritten = async (): Promise<string> => {
  const folder = join(String(rolling.env['DATA_DIR']), 'mails');
  const files = await readdir(folder).catch(() => []);
  const mails = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return mails.join('\n').replaceAll('=\r\n', '');
};

/** Of every round of every delivery: how its workflow ended, and the tasks that failed, as one does that a version cannot go on with. */
const describeWorkflows = async () => {
  const rounds = await rolling.database.db<{ id: string; round: number }[]>`
    select id, generate_series(1, round) as round from deliveries`;
  return Promise.all(
    rounds.map(({ id, round }) =>
      describeWorkflow(rolling, `delivery/${showId('delivery', id)}${round === 1 ? '' : `/round/${round}`}`),
    ),
  );
};

/** Whether it was this process that made this attempt of the message. */
const attempted = ({ lines }: ParleyProcess, text: string, attempt: string): boolean => {
  const marks = ['"delivery.attempted"', `"${deliveryOf(text)}"`, attempt];
  return lines.some((line) => marks.every((mark) => line.includes(mark)));
};

describe('a rolling restart from 0.3.0', () => {
  test('delivers everything once, and makes the retries that one version owes under the other, on time', async () => {
    // Each fails as long as those that have begun it are there. On a slow machine they make a retry themselves.
    const failing = new Set([begunByOld, begunByNew]);
    const succeeded = new Set<string>();
    receiver.respondWith((request) => {
      const text = textOf(request);
      if (failing.has(text)) return 500;
      succeeded.add(text);
      return 200;
    });
    const [oldApi, oldWorker] = await Promise.all([start(old, 'src/api/main.ts'), start(old, 'src/worker.ts')]);
    const { sent, send, failTwice, request, webhookId } = await createAccount(oldApi);
    await send(oldApi, replayed);
    await receiver.waitFor(1);
    await failTwice(oldApi, begunByOld);

    // Workers first, as docs/operations.md has it; the first new process migrates, where there is anything to, while the old ones serve.
    const newWorker = await start(present, 'src/worker.ts');
    const applied = await rolling.database.db<{ name: string }[]>`select name from migrations order by name`;
    expect(applied.map(({ name }) => name)).toEqual(await listMigrations());
    await send(oldApi, 'old, on the migrated schema');
    const newApi = await start(present, 'src/api/main.ts');
    // Its mail has a link. Either version's worker may get its workflow.
    await forgetPassword(newApi);
    for (const index of [1, 2, 3, 4, 5]) {
      await send(oldApi, `old beside new ${index}`);
      await send(newApi, `new beside old ${index}`);
    }
    // No field is defined, and neither version minds what the other writes.
    const { id: contactId } = withId.parse(
      await request(oldApi, 'POST', '/v1/contacts', { custom_fields: { size: 'M' } }),
    );
    const path = `/v1/contacts/${contactId}`;
    const fieldsIn = async (through: ParleyProcess, change: object = {}) =>
      withFields.parse(await request(through, 'PATCH', path, { custom_fields: change })).custom_fields;
    expect(await fieldsIn(newApi)).toEqual({ size: 'M' });
    expect(await fieldsIn(newApi, { sizes: ['S', 'M'], orders: 3 })).toEqual({
      size: 'M',
      sizes: ['S', 'M'],
      orders: 3,
    });
    expect(await fieldsIn(oldApi, { size: 'L' })).toEqual({ size: 'L', sizes: ['S', 'M'], orders: 3 });
    expect(await fieldsIn(newApi, { orders: null })).toEqual({ size: 'L', sizes: ['S', 'M'] });
    const { data: logged } = z
      .object({ data: z.array(withId) })
      .parse(await request(newApi, 'GET', '/v1/deliveries?limit=200'));
    await request(newApi, 'POST', `/v1/deliveries/${logged.at(-1)?.id}/replay`);
    await receiver.waitFor((requests) => requests.length > sent.length);
    // Bulk replays and test events, which either version's workers may get.
    const since = new Date().toISOString();
    for (const text of replayedInBulk) await send(oldApi, text);
    await receiver.waitFor(() => replayedInBulk.every((text) => received(text).length === 1));
    const bulk = { status: ['delivered'], since, until: new Date().toISOString() };
    const delivered = async () =>
      z.object({ count: z.number() }).parse(await request(newApi, 'POST', '/v1/replays/preview', bulk)).count;
    await expect.poll(delivered, { timeout: 60_000 }).toBe(replayedInBulk.length);
    const { id: replayId } = withId.parse(await request(newApi, 'POST', '/v1/replays', bulk));
    await request(newApi, 'POST', `/v1/webhooks/${webhookId}/test`, {});
    await receiver.waitFor(() => replayedInBulk.every((text) => received(text).length === 2));

    expect(await oldWorker.stop()).toBe(0);
    failing.delete(begunByOld);
    await send(oldApi, 'old API, without its worker');
    expect(await oldApi.stop()).toBe(0);
    await send(newApi, 'new alone');
    await failTwice(newApi, begunByNew);
    expect(await request(newApi, 'GET', `/v1/replays/${replayId}`)).toMatchObject({ status: 'finished', skipped: 0 });
    await receiver.waitFor(() => succeeded.has(begunByOld), 3 * retryAfterMs + 60_000);

    await vi.waitFor(async () => expect(await mailsWritten()).toMatch(/\/reset-password#[\w-]{43}/), 60_000);

    // And back again, before the retry that the new ones owe.
    const [backApi, backWorker] = await Promise.all([start(old, 'src/api/main.ts'), start(old, 'src/worker.ts')]);
    await send(backApi, 'back to the old, beside the new');
    expect([await newApi.stop(), await newWorker.stop()]).toEqual([0, 0]);
    expect(succeeded).not.toContain(begunByNew);
    failing.delete(begunByNew);
    await send(backApi, 'back to the old');
    expect(await examined(backApi)).toEqual([
      ['Processes', 'ok', '2 running (0.3.0): doctor checks their settings'],
      ['Service', 'ok', `${backApi.url} is ready`],
    ]);

    const { db } = rolling.database;
    const unfinished = () => db`select id from deliveries where status <> 'delivered' or sweep_at is not null`;
    await vi.waitFor(async () => expect(await unfinished()).toEqual([]), 3 * retryAfterMs + 60_000);
    const times = (text: string) => {
      if (text.startsWith('fails twice')) return Math.max(3, received(text).length);
      return text.startsWith('replayed') ? 2 : 1;
    };
    expect(received(textOfTests)).toHaveLength(1);
    expect(Object.fromEntries(sent.map((text) => [text, received(text).length]))).toEqual(
      Object.fromEntries(sent.map((text) => [text, times(text)])),
    );
    for (const { rawBody, headers } of receiver.requests) {
      expect(verifySignature(rawBody, secret, headers['x-service-signature'])).toBe(true);
    }
    for (const text of [begunByOld, begunByNew]) {
      const [first, , retry] = received(text);
      const waitedMs = (retry?.receivedAtMs ?? 0) - (first?.receivedAtMs ?? 0);
      expect(waitedMs).toBeGreaterThanOrEqual(retryAfterMs - 100);
      expect(waitedMs).toBeLessThan(retryAfterMs + 30_000);
    }

    const workflows = await describeWorkflows();
    expect(workflows).toHaveLength(sent.length + 1 + replayedInBulk.length + 1);
    expect(workflows.filter(({ status, failedTasks }) => status !== 'COMPLETED' || failedTasks > 0)).toEqual([]);

    expect([await backApi.stop(), await backWorker.stop()]).toEqual([0, 0]);
    const processes = { old: [oldApi, oldWorker], new: [newApi, newWorker], back: [backApi, backWorker] };
    const makersOf = (text: string) =>
      // The first, the one by hand, and the last.
      ['"scheduled","number":1,', '"manual","number":1,', `"scheduled","number":${received(text).length - 1},`].map(
        (attempt) =>
          Object.entries(processes).flatMap(([name, those]) =>
            those.some((one) => attempted(one, text, attempt)) ? [name] : [],
          ),
      );
    expect(makersOf(begunByOld)).toEqual([['old'], ['old'], ['new']]);
    expect(makersOf(begunByNew)).toEqual([['new'], ['new'], ['back']]);
    for (const process of Object.values(processes).flat()) expect(faultsOf(process)).toEqual([]);
  }, 600_000);
});
