import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createAccount, type CreatedAccount } from '../../src/shared/accounts/create-account.ts';
import type { Bot } from '../helpers/telegram/bots.ts';
import type { Installation } from './installation.ts';
import { aReader, aUser, aWidget, type Person } from './people.ts';

/** An account with a webchat and a bot of Telegram, whose flow begins with the word `order`, and those who talk to it. */
export type Shop = CreatedAccount & { bot: Bot; people: readonly Person[]; close: () => void };

type Parts = Pick<Installation, 'db' | 'secrets' | 'telegram'> & { service: { url: string } };

/** `says` is what the flow says when its question is answered; it may have the placeholder `{{size}}`. */
type Options = { visitors: number; users: number; asks: string; says: string };

const withId = z.object({ id: z.string() });
const site = 'https://shop.example';

/** So many visitors of the webchat, half of whom run the widget, and behind them so many users of Telegram. */
export const openShop = async (
  { service, db, secrets, telegram }: Parts,
  { visitors, users, asks, says }: Options,
): Promise<Shop> => {
  const owner = { name: 'Talks', email: `owner-${randomUUID()}@example.com`, plan: 'business' } as const;
  const account = await createAccount({ sql: db, secrets }, owner);
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await fetch(`${service.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${text}`);
    return withId.loose().parse(JSON.parse(text)).id;
  };
  const webchat = await create('/channels', { type: 'webchat', name: 'Chat', origins: [site] });
  const bot = telegram.addBot();
  await create('/channels', { type: 'telegram', name: 'Bot', bot_token: bot.token });
  await create('/custom-fields', { key: 'size', name: 'Size', type: 'text' });
  const flow = await create('/flows', {
    name: 'Order',
    definition: {
      schema_version: 1,
      start: 'ask',
      triggers: [{ type: 'keyword', match: 'prefix', words: ['order'] }],
      blocks: [
        { id: 'ask', type: 'ask', prompt: asks, save_to: 'size', next: { answered: 'say' } },
        { id: 'say', type: 'send', messages: [{ text: says }] },
      ],
    },
  });
  await create(`/flows/${flow}/publish`, {});

  const people: Person[] = [];
  for (let index = 0; index < visitors; index += 1)
    people.push(index % 2 === 0 ? await aWidget(service, webchat) : aReader(service, webchat, site));
  for (let index = 0; index < users; index += 1) people.push(aUser(bot, index + 1));
  return {
    ...account,
    bot,
    people,
    close: () => {
      for (const { close } of people) close();
    },
  };
};
