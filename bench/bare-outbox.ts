import { createHash, createHmac, randomUUID } from 'node:crypto';
import Koa from 'koa';
import { Pool } from 'undici';
import { createBatches } from '../src/shared/platform/batches.ts';
import { connectDatabase } from '../src/shared/platform/db/connect.ts';
import { runProcess } from '../src/service/process.ts';
import { requireServers } from '../src/service/required-servers.ts';
import { listen } from '../src/service/listen.ts';
import { createLog } from '../src/shared/platform/log.ts';

// A yardstick: the least that sends durable, signed events. One account, one webhook; no fairness, guard, partitions, locks, logs or metrics.
// `bench/bare-target.ts` writes the account, and says what a message looks like.

const atOnce = { reads: 100, posts: 200, records: 500 };

type Due = { id: string; body: Buffer; url: string; secret: string };

await runProcess(async () => {
  const { config, database } = requireServers(process.env);
  const log = createLog(config.logLevel);
  const sql = connectDatabase(database, { max: 10 });
  await sql.unsafe(`
    create table if not exists bare_keys (hash bytea primary key, account_id uuid not null);
    create table if not exists bare_webhooks (id uuid primary key, account_id uuid not null, url text not null, secret text not null);
    create table if not exists bare_messages (id uuid primary key, account_id uuid not null, external_id text not null unique, text text not null);
    create table if not exists bare_events (id uuid primary key, account_id uuid not null, body jsonb not null);
    create table if not exists bare_deliveries (id uuid primary key, webhook_id uuid not null, event_id uuid not null, body bytea not null,
      status text not null default 'pending', attempts_made int not null default 0, created_at timestamptz not null default now());
    create table if not exists bare_attempts (delivery_id uuid, number int, status_code int, duration_ms int, primary key (delivery_id, number));
    create index if not exists bare_pending on bare_deliveries (created_at) where status = 'pending'`);
  const pools = new Map<string, Pool>();
  const poolOf = (origin: string): Pool => {
    const pool = pools.get(origin) ?? new Pool(origin, { connections: 64, connect: { ca: config.egressCa } });
    pools.set(origin, pool);
    return pool;
  };

  let posting = 0;
  let room: (() => void) | undefined;
  const post = async ({ id, body, url, secret }: Due): Promise<void> => {
    const startedMs = performance.now();
    const { origin, pathname } = new URL(url);
    const seconds = String(Math.floor(Date.now() / 1000));
    const headers = {
      'content-type': 'application/json',
      'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${createHmac('sha256', secret).update(`${id}.${seconds}.`).update(body).digest('base64')}`,
    };
    const answer = await poolOf(origin).request({ path: pathname, method: 'POST', headers, body });
    await answer.body.dump();
    records.add({ id, code: answer.statusCode, ms: Math.round(performance.now() - startedMs) });
    posting -= 1;
    room?.();
  };

  const records = createBatches<{ id: string; code: number; ms: number }>({
    most: atOnce.records,
    work: async (ended) => {
      const ids = ended.map(({ id }) => id);
      await sql`
        with ended as (
          select * from unnest(${ids}::uuid[], ${ended.map(({ code }) => code)}::int[], ${ended.map(({ ms }) => ms)}::int[]) as ended (id, code, ms)
        ), attempt as (
          insert into bare_attempts select id, 1, code, ms from ended on conflict do nothing)
        update bare_deliveries d set attempts_made = 1, status = case when code = 200 then 'delivered' else 'retrying' end
        from ended where d.id = any(${ids}::uuid[]) and d.id = ended.id`;
    },
  });

  const reads = createBatches<string>({
    most: atOnce.reads,
    work: async (ids) => {
      const due = await sql<Due[]>`
        select d.id, d.body, w.url, w.secret from bare_deliveries d join bare_webhooks w on w.id = d.webhook_id where d.id = any(${ids}::uuid[])`;
      for (const one of due) {
        if (posting >= atOnce.posts) await new Promise<void>((resolve) => (room = resolve));
        posting += 1;
        void post(one);
      }
    },
  });

  const accept = async (authorization: string, text: string): Promise<object | undefined> => {
    const hash = createHash('sha256').update(authorization.slice('Bearer '.length)).digest();
    const [key] = await sql<{ accountId: string }[]>`select account_id from bare_keys where hash = ${hash}`;
    if (!key) return undefined;
    const { accountId } = key;
    const webhooks = await sql<{ id: string }[]>`select id from bare_webhooks where account_id = ${accountId}`;
    const message = JSON.parse(text);
    const [messageId, eventId] = [randomUUID(), randomUUID()];
    const contact_id = message.sender.external_id;
    const data = { contact_id, message: { id: messageId, text: message.text, direction: 'inbound' } };
    const deliveries = webhooks.map(({ id: webhookId }) => {
      const id = randomUUID();
      const body = JSON.stringify({ id, event: 'new_message', timestamp: new Date(), data });
      return { id, webhookId, body: Buffer.from(body).toString('base64') };
    });
    await sql`
      with message as (
        insert into bare_messages values (${messageId}, ${accountId}, ${message.message_id}, ${message.text}) on conflict do nothing returning id
      ), event as (
        insert into bare_events select ${eventId}, ${accountId}, ${sql.json(data)} from message returning id)
      insert into bare_deliveries (id, webhook_id, event_id, body)
      select given.id, given.webhook_id, event.id, decode(given.body, 'base64')
      from event, unnest(${deliveries.map(({ id }) => id)}::uuid[], ${deliveries.map(({ webhookId }) => webhookId)}::uuid[],
        ${deliveries.map(({ body }) => body)}::text[]) as given (id, webhook_id, body)`;
    for (const { id } of deliveries) reads.add(id);
    return { message: { id: messageId } };
  };

  const app = new Koa();
  app.use(async (ctx) => {
    if (ctx.path === '/health/ready') {
      ctx.body = 'ok';
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of ctx.req) chunks.push(chunk);
    const answer = await accept(ctx.get('authorization'), Buffer.concat(chunks).toString());
    ctx.status = answer ? 202 : 401;
    ctx.body = answer;
  });
  const handle = app.callback();
  const server = await listen((request, response) => void handle(request, response), {
    name: 'PORT',
    host: config.host,
    port: config.port,
  });
  return {
    log,
    stop: async () => {
      await server.stop();
      await reads.drain();
      await records.drain();
      await sql.end({ timeout: 5 });
    },
  };
});
