import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { z } from 'zod';
import { createAccount } from '../../src/shared/accounts/create-account.ts';
import { write, type Bot, type Update } from '../helpers/telegram/bots.ts';
import { handIn } from '../helpers/telegram/webhooks.ts';
import type { Installation } from './installation.ts';
import type { Tally } from './ledger.ts';

const asks = 'Which size?';
const says = 'You chose it.';

/** What a flow says to each person, and what each says to it. */
const course = { heard: [asks, says], said: ['order', 'M'] } as const;

/** Somebody who talks with a flow over a channel. Everything is repeated until it is accepted, as the channel does. */
type Person = {
  channel: 'webchat' | 'telegram';
  say: (text: string) => Promise<void>;
  /** What they have been told so far, in order, by the channel's own means. */
  heard: () => Promise<string[]>;
  /** Their id on the channel, once they have written. */
  externalId: () => string;
};

export type Talks = {
  /** Has everybody talk through the flow; resolves when all have come to its end. */
  talk: () => Promise<void>;
  /** How many messages people have been told so far. */
  countHeard: () => Promise<number>;
  /** Rejects for whatever must never be: something missing, twice, or out of order. */
  settle: () => Promise<{ tally: Tally; unknown: number }>;
};

const withId = z.object({ id: z.string() });
const againMs = 200;

/** So many visitors of a webchat and so many users of Telegram. */
export const createTalks = async (
  { service, db, secrets, telegram }: Installation,
  { ofEach }: { ofEach: number },
): Promise<Talks> => {
  const owner = { name: 'Talks', email: `owner-${randomUUID()}@example.com`, plan: 'business' } as const;
  const { accountId, apiKey } = await createAccount({ sql: db, secrets }, owner);
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await fetch(`${service.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${text}`);
    return withId.loose().parse(JSON.parse(text)).id;
  };
  const site = 'https://shop.example';
  const webchat = await create('/channels', { type: 'webchat', name: 'Chat', origins: [site] });
  const bot: Bot = telegram.addBot();
  await create('/channels', { type: 'telegram', name: 'Bot', bot_token: bot.token });
  const flow = await create('/flows', {
    name: 'Order',
    definition: {
      schema_version: 1,
      start: 'ask',
      triggers: [{ type: 'keyword', match: 'exact', words: ['order'] }],
      blocks: [
        { id: 'ask', type: 'ask', prompt: asks, next: { answered: 'say' } },
        { id: 'say', type: 'send', messages: [{ text: says }] },
      ],
    },
  });
  await create(`/flows/${flow}/publish`, {});

  const aVisitor = (): Person => {
    let token: string | undefined;
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${service.url}/webchat/${webchat}${path}`, {
        ...init,
        headers: {
          origin: site,
          'content-type': 'application/json',
          ...(token !== undefined && { 'x-visitor-token': token }),
        },
        signal: AbortSignal.timeout(20_000),
      }).catch(() => undefined);
    return {
      channel: 'webchat',
      externalId: () => '',
      say: async (text) => {
        const client_id = randomUUID();
        for (;;) {
          const answer = await ask('/messages', { method: 'POST', body: JSON.stringify({ client_id, text }) });
          const body: unknown = await answer?.json().catch(() => undefined);
          if (answer?.ok) {
            token ??= z.object({ visitor_token: z.string() }).parse(body).visitor_token;
            return;
          }
          await sleep(againMs);
        }
      },
      heard: async () => {
        const answer = await ask('/changes');
        const { messages } = z
          .object({ messages: z.array(z.object({ direction: z.string(), text: z.string() })) })
          .parse(await answer?.json());
        return messages.flatMap(({ direction, text }) => (direction === 'business' ? [text] : []));
      },
    };
  };

  const aUser = (userId: number): Person => ({
    channel: 'telegram',
    externalId: () => String(userId),
    say: async (text) => {
      const update: Update = write(bot, userId, text);
      bot.pending = bot.pending.filter((one) => one.update_id !== update.update_id);
      while (!((await handIn(bot, update).catch(() => 503)) < 300)) await sleep(againMs);
    },
    heard: async () => bot.got.filter(({ chatId }) => chatId === userId).map(({ text }) => text),
  });

  const people = Array.from({ length: ofEach }, (_, index) => [aVisitor(), aUser(index + 1)]).flat();

  /** Whether somebody has been told so much, or the answer to it was lost, so that nobody knows. */
  const isTold = async (person: Person, count: number): Promise<boolean> => {
    const heard = await person.heard().catch(() => []);
    if (heard.length >= count) return true;
    if (person.channel === 'webchat') return false;
    const ended = await db`
      select from outbound_messages o join messages m on m.id = o.message_id
      join contact_identities i on i.contact_id = m.contact_id and i.channel_id = m.channel_id
      where m.account_id = ${accountId} and i.external_id = ${person.externalId()} and o.status in ('sent', 'unknown')
    `.catch(() => ({ count: 0 }));
    return ended.count >= count;
  };

  return {
    talk: async () => {
      await Promise.all(
        people.map(async (person) => {
          for (const [index, text] of course.said.entries()) {
            await person.say(text);
            while (!(await isTold(person, index + 1))) await sleep(5 * againMs);
          }
        }),
      );
    },
    countHeard: async () => {
      const rows = await db`
        select from outbound_messages o join messages m on m.id = o.message_id
        where m.account_id = ${accountId} and o.status = 'sent'`;
      return rows.count;
    },
    settle: async () => {
      const rows = await db<{ external: string; said: string[]; told: string[]; statuses: string[] }[]>`
        select i.external_id as external,
          array_agg(m.text order by m.seq) filter (where m.direction = 'inbound') as said,
          array_agg(m.text order by m.seq) filter (where m.direction = 'outbound') as told,
          array_agg(o.status order by m.seq) filter (where m.direction = 'outbound') as statuses
        from messages m join contact_identities i on i.contact_id = m.contact_id and i.channel_id = m.channel_id
        left join outbound_messages o on o.message_id = m.id
        where m.account_id = ${accountId} group by i.external_id`;
      expect(rows).toHaveLength(people.length);
      for (const { said, told } of rows) expect({ said, told }).toEqual({ said: course.said, told: course.heard });
      const heard = await Promise.all(people.map(async (person) => ({ person, texts: await person.heard() })));
      /** Of those whose answer was lost, the ones that have not arrived. */
      let missing = 0;
      for (const { person, texts } of heard) {
        const { statuses } = rows.find(({ external }) => external === person.externalId()) ?? { statuses: [] };
        const lost = course.heard.filter((_, index) => statuses[index] === 'unknown');
        missing += lost.filter((text) => !texts.includes(text)).length;
        // What is unknown has arrived once, or not at all.
        expect(texts).toEqual(course.heard.filter((text) => !lost.includes(text) || texts.includes(text)));
      }
      const accepted = people.length * course.heard.length;
      const delivered = heard.reduce((sum, { texts }) => sum + new Set(texts).size, 0);
      const came = heard.reduce((sum, { texts }) => sum + texts.length, 0);
      const lost = accepted - delivered - missing;
      return {
        tally: { accepted, delivered, lost, sentAgain: came - delivered, lastAtMs: Date.now() },
        unknown: missing,
      };
    },
  };
};
