import { request } from 'undici';
import { afterAll, describe, expect, test } from 'vitest';
import { readId } from '../../../../../src/shared/ids.ts';
import { useApi } from '../../../../helpers/api.ts';
import { numbersBy } from '../../../../helpers/seeded-numbers.ts';
import { resetIds, write, type Update } from '../../../../helpers/telegram/bots.ts';
import { kindsWithTelegram } from '../../../../helpers/telegram/kinds.ts';
import { startTelegram } from '../../../../helpers/telegram/service.ts';
import { tried } from '../../../../helpers/telegram/tried.ts';
import { handIn } from '../../../../helpers/telegram/webhooks.ts';

const { count, seed } = tried;
const users = 20;

const telegram = await startTelegram();
afterAll(() => telegram.close());
const api = await useApi({ channelKinds: kindsWithTelegram(telegram), egressAllow: '' });

describe(`${count} updates at a webhook of Telegram (TELEGRAM_SEED=${seed})`, () => {
  test(
    'are each taken once and in the order of their chats, whatever comes in between',
    { timeout: 600_000 },
    async () => {
      const bot = telegram.addBot();
      const { apiKey } = await api.createAccount();
      const asked = { type: 'telegram', name: 'Bot', bot_token: bot.token };
      const { body: channel } = await api.request<{ id: string }>('POST', '/v1/channels', { key: apiKey, body: asked });
      const number = numbersBy(seed);
      const written = new Map<number, string[]>();
      const taken: Update[] = [];
      /** Telegram hands an update in until it is taken, and one whose answer was lost again. */
      const handInUntilTaken = async (update: Update): Promise<void> => {
        while (number() < 0.05) await breakOff(bot.webhook, update, number(20));
        while ((await handIn(bot, update)) >= 300);
        while (number() < 0.05) await handIn(bot, update);
        taken.push(update);
      };
      for (let made = 0; made < count; made += 1) {
        const user = 1 + Math.floor(number(users));
        const text = `${user} writes ${made}`;
        written.set(user, [...(written.get(user) ?? []), text]);
        write(bot, user, text);
        if (number() < 0.3) {
          // Chats are independent of each other, and Telegram hands several in at a time.
          const chats = Map.groupBy(bot.pending.splice(0), userOf);
          await Promise.all(
            Array.from(chats.values(), async (updates) => {
              for (const update of updates) await handInUntilTaken(update);
            }),
          );
          // One of before comes again, long after it was taken.
          const old = taken[Math.floor(number(taken.length))];
          if (old && number() < 0.2) await handIn(bot, old);
          if (number() < 0.02) resetIds(bot, Math.floor(number(2_000_000_000)));
        }
      }
      for (const update of bot.pending.splice(0)) await handInUntilTaken(update);

      const rows = await api.db<{ user: string; texts: string[] }[]>`
      select i.external_id as user, array_agg(m.text order by m.seq) as texts
      from messages m join contact_identities i on i.contact_id = m.contact_id
      where m.channel_id = ${readId('channel', channel.id)} group by i.external_id`;
      expect(new Map(rows.map(({ user, texts }) => [Number(user), texts]))).toEqual(written);
    },
  );
});

const userOf = ({ message }: Update): unknown =>
  message && 'chat' in message && typeof message.chat === 'object' && message.chat && 'id' in message.chat
    ? message.chat.id
    : undefined;

/** Hands an update in, and hangs up before the answer, after so many ms. */
const breakOff = async (webhook: { url: string; secret: string } | undefined, update: Update, afterMs: number) => {
  const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': webhook?.secret ?? '' };
  const signal = AbortSignal.timeout(Math.floor(afterMs));
  const answer = await request(webhook?.url ?? '', {
    method: 'POST',
    headers,
    body: JSON.stringify(update),
    signal,
  }).catch(() => undefined);
  await answer?.body.dump().catch(() => {});
};
