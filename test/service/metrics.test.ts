import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { createSecrets } from '../../src/shared/platform/secrets/seal.ts';
import { anAccount, insertWebhook } from '../helpers/accounts.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { startServing, type ServingProcess } from '../helpers/serving-process.ts';
import { startDevServer, type DevServer } from '../helpers/temporal.ts';
import { makeDue } from '../helpers/states/deliveries.ts';
import { insertChannel } from '../../src/shared/messages/channels/queries.ts';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

let database: TestDatabase;
let temporal: DevServer;
let receiver: Receiver;
let parley: ServingProcess;
let served: string;

/** A running service that has delivered an event, failed to deliver another, and answered what no route takes. */
beforeAll(async () => {
  [database, temporal, receiver] = await Promise.all([
    createTestDatabase(),
    startDevServer(),
    startReceiver({ plain: true, respond: ({ path }, index) => (path === '/to-visitors' || index === 0 ? 200 : 500) }),
  ]);
  parley = await startServing({ database: database.target, temporal: temporal.address });
  const { db } = database;
  const deps = { db, secrets: createSecrets(parley.masterKey) };
  const { accountId, apiKey } = await anAccount(deps);
  const channelId = newUuid();
  const secret = deps.secrets.seal('a-secret', { accountId, rowId: channelId });
  const callbackUrl = receiver.url('/to-visitors');
  await insertChannel(db, accountId, { id: channelId, type: 'api', name: 'Shop', callbackUrl, secret });
  const webhookId = await insertWebhook(deps, { accountId, url: receiver.url('/hook'), events: ['new_message'] });
  await aDelivery(db, { accountId, webhookId, status: 'parked' });
  const ask = (path: string, body: object): Promise<Response> =>
    fetch(`${parley.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const inbound = `/v1/channels/${showId('channel', channelId)}/inbound`;
  for (const status of ['delivered', 'retrying']) {
    await ask(inbound, anInboundMessage());
    const arrived = async () => (await db`select 1 from deliveries where status = ${status}`).count === 1;
    await vi.waitUntil(arrived, { timeout: 60_000 });
  }
  const [contact] = await db<{ id: string }[]>`select id from contacts`;
  await ask(`/v1/contacts/${showId('contact', contact?.id ?? '')}/messages`, { text: 'Hello' });
  const sent = async () => (await db`select from outbound_messages where status = 'sent'`).count === 1;
  await vi.waitUntil(sent, { timeout: 60_000 });
  await ask('/v1/private-path', {});
  served = await parley.metrics();
});

afterAll(async () => {
  await parley.stop();
  await Promise.all([temporal.stop(), receiver.close(), database.drop()]);
});

/** The names under which samples are served: a histogram has three. */
const servedNames = (): string[] =>
  [...served.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );

const dashboard = z
  .object({
    schemaVersion: z.number(),
    panels: z.array(
      z.object({
        type: z.string(),
        title: z.string(),
        targets: z.array(z.object({ expr: z.string() })).default([]),
      }),
    ),
  })
  .parse(JSON.parse(read('deploy/grafana/parley.json')));

const expressions = {
  'deploy/grafana/parley.json': dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  'deploy/prometheus/alerts.yml': [
    ...read('deploy/prometheus/alerts.yml').matchAll(/^( +)expr: (?:>-\n((?:\1 +.+\n)+)|(.+))/gm),
  ].map(([, , folded, line]) => folded ?? line ?? ''),
  'docs/metrics.md': [
    ...read('docs/metrics.md').matchAll(/`([^`\n]*\([^`\n]*\b(?:parley|temporal|nodejs|process)_[^`\n]*)`/g),
  ].map(([, expr = '']) => expr),
};

test.each(Object.entries(expressions))('%s asks for nothing that a running service does not serve', (_, exprs) => {
  expect(exprs.length).toBeGreaterThan(7);
  const names = exprs.flatMap((expr) => expr.match(/\b(?:parley|temporal|nodejs|process)_\w+/g) ?? []);
  expect(names.length).toBeGreaterThanOrEqual(exprs.length);
  expect(names.filter((name) => !servedNames().includes(name))).toEqual([]);

  const labels = exprs.flatMap((expr) => [
    ...[...expr.matchAll(/\bby \(([^)]+)\)/g)].flatMap(([, list = '']) => list.split(', ')),
    ...[...expr.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label),
  ]);
  // Prometheus itself adds the instance to what it scrapes.
  const known = new Set(['instance', ...[...served.matchAll(/[{,](\w+)="/g)].map(([, label]) => label)]);
  expect(labels.filter((label) => !known.has(label))).toEqual([]);
});

test('the dashboard and the page have the same four questions, and the page has every panel and alert', () => {
  const page = read('docs/metrics.md');
  const questions = [...page.matchAll(/^### (.+)$/gm)].map(([, title]) => title);
  expect(dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title)).toEqual(questions);
  expect(questions).toHaveLength(4);
  const panels = dashboard.panels.filter(({ type }) => type !== 'row').map(({ title }) => title);
  const alerts = [...read('deploy/prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  expect(panels.filter((title) => !page.includes(`| ${title} | `))).toEqual([]);
  expect([...page.matchAll(/^\| `(Parley\w+)` \|/gm)].map(([, name]) => name)).toEqual(alerts);
});

test('docs/metrics.md has every metric of ours with its type, and no other', () => {
  const listed = [...read('docs/metrics.md').matchAll(/^\| `(parley_\w+)` \| (\w+)/gm)];
  const types = [...served.matchAll(/^# TYPE (parley_\w+) (\w+)$/gm)];
  const named = (matches: RegExpExecArray[]) => matches.map(([, name, type]) => `${name} ${type}`).sort();
  expect(named(listed)).toEqual(named(types));
});

test('tells what happened, and what is there now', () => {
  for (const line of [
    'parley_delivery_attempts_total{variant="api",outcome="succeeded",reason=""} 1',
    'parley_delivery_attempts_total{variant="api",outcome="failed",reason="status"} 1',
    'parley_delivery_seconds_count{variant="api",attempt="first"} 1',
    'parley_dispatch_total{outcome="outbox"} 3',
    'parley_dispatch_total{outcome="started"} 1',
    'parley_http_request_seconds_count{method="POST",route="/v1/channels/:id/inbound",status="202"} 2',
    'parley_http_request_seconds_count{method="",route="",status="404"} 1',
    'parley_deliveries_unfinished{status="retrying"} 1',
    'parley_deliveries_unfinished{status="parked"} 1',
    'parley_deliveries_overdue_seconds 0',
    'parley_webhooks{state="active"} 1',
    'parley_webhooks{state="disabled"} 0',
    'parley_database_up 1',
    'parley_temporal_up 1',
    'parley_starts_up 1',
    'parley_workers_up{task_queue="deliveries"} 1',
    'parley_workers_up{task_queue="mail"} 1',
    'parley_workers_up{task_queue="messages"} 1',
    'parley_message_attempts_total{outcome="sent",reason=""} 1',
    'parley_messages_ended_total{status="sent",way="outbox"} 1',
    'parley_messages_queued 0',
    'parley_runs_open 0',
    'parley_run_chains_guarded 0',
    'parley_origins_open 0',
    'parley_messages_overdue_seconds 0',
    'parley_workers_up{task_queue="maintenance"} 1',
  ]) {
    expect(served.split('\n')).toContain(line);
  }
  expect(served).not.toContain('private-path');
});

test('an overdue delivery shows its age from the time it was due, also when the sweep has looked at it', async () => {
  const { db } = database;
  const [retrying] = await db<{ id: string }[]>`select id from deliveries where status = 'retrying'`;
  const id = retrying?.id ?? '';
  await makeDue(db, id, { inMs: -3_600_000, lookInMs: 300_000 });
  const overdue = async () => Number(/^parley_deliveries_overdue_seconds (\S+)$/m.exec(await parley.metrics())?.[1]);
  expect(await overdue()).toBeGreaterThanOrEqual(3_600);
  await makeDue(db, id, { inMs: 3_600_000, lookInMs: 300_000 });
  expect(await overdue()).toBe(0);
});

test('without its database /metrics is served all the same, says so, and tells nothing that it cannot know', async () => {
  await database.shut();
  await expect.poll(parley.metrics, { timeout: 60_000 }).toMatch(/^parley_database_up 0$/m);
  const away = await parley.metrics();
  expect(away).toMatch(/^process_cpu_seconds_total \S+$/m);
  expect(away).toMatch(/^parley_temporal_up 1$/m);
  expect(away).not.toMatch(/^parley_(webhooks|deliveries_unfinished|deliveries_overdue_seconds)[ {]/m);

  await database.open();
  await expect.poll(parley.metrics, { timeout: 60_000 }).toMatch(/^parley_database_up 1$/m);
});
