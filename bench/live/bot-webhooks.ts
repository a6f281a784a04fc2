import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Pool } from 'undici';
import { z } from 'zod';
import { forEachIn } from '../lanes.ts';
import { sendEvenly } from '../load.ts';
import type { Process } from '../servers.ts';
import { quantiles, type Quantiles } from '../statistics.ts';
import { connections, type Target } from '../target.ts';

/** What Parley has told of the webhook of a bot: its path and secret. */
type Webhook = { path: string; secret: string };

/** A Bot API that takes everything. */
export type BotApi = { url: string; webhookOf: (token: string) => Webhook; close: () => Promise<void> };

const setWebhook = z.object({ url: z.string(), secret_token: z.string() });

export const startBotApi = async (): Promise<BotApi> => {
  const webhooks = new Map<string, Webhook>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
    const body = await text(request);
    if (method === 'setWebhook') {
      const { url, secret_token: secret } = setWebhook.parse(JSON.parse(body));
      webhooks.set(token, { path: new URL(url).pathname, secret });
    }
    const [id = ''] = token.split(':');
    const me = { id: Number(id), is_bot: true, first_name: 'Bot', username: `bench_${id}_bot` };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, result: method === 'getMe' ? me : true }));
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new TypeError('not a TCP server');
  return {
    url: `http://127.0.0.1:${bound.port}`,
    webhookOf: (token) => {
      const webhook = webhooks.get(token);
      if (!webhook) throw new Error('a bot has no webhook');
      return webhook;
    },
    close: async () => void server.close(),
  };
};

const usersOfBot = 40;

/** Updates that a webhook gets a second: of texts, and of parts of albums, which are held. */
export const updatesPerSecond = 50;

/** From when updates are due until their answers, over bots of these accounts. */
export const measureWebhooks = async (
  { parley, botApi, targets }: { parley: Process; botApi: BotApi; targets: readonly Target[] },
  seconds: number,
): Promise<Record<'texts' | 'parts', Quantiles>> => {
  const pool = new Pool(parley.url, { connections });
  const webhooks: Webhook[] = [];
  for (const [index, target] of targets.entries()) {
    const token = `${7_000_000 + index}:${'x'.repeat(35)}`;
    const body = { type: 'telegram', name: 'Bot', bot_token: token };
    await target.call({ method: 'POST', path: '/v1/channels', status: 201, body });
    webhooks.push(botApi.webhookOf(token));
  }
  let updates = 0;
  const handIn = async (content: object): Promise<void> => {
    updates += 1;
    const webhook = webhooks[updates % webhooks.length];
    if (!webhook) throw new Error('there is no bot');
    const id = 1 + (Math.floor(updates / webhooks.length) % usersOfBot);
    const from = { id, is_bot: false, first_name: `User ${id}` };
    const message = { message_id: updates, date: 1, chat: { id, type: 'private' }, from, ...content };
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: webhook.path,
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': webhook.secret },
      body: JSON.stringify({ update_id: updates, message }),
    });
    await body.dump();
    if (statusCode !== 204) throw new Error(`a webhook answered ${statusCode}`);
  };
  const measured = async (contentOf: (marker: string) => object): Promise<Quantiles> => {
    const { handed } = await sendEvenly(
      { hand: (marker) => handIn(contentOf(marker)) },
      { perSecond: updatesPerSecond, seconds },
    );
    return quantiles(handed.map(({ dueMs, answeredMs }) => answeredMs - dueMs));
  };
  // Everybody has written before.
  await forEachIn({ lanes: 8, count: webhooks.length * usersOfBot }, () => handIn({ text: 'hi' }));
  const texts = await measured(() => ({ text: 'Is it still to be had?' }));
  const parts = await measured((marker) => ({ media_group_id: marker, sticker: {}, caption: 'Look' }));
  await pool.close();
  return { texts, parts };
};
