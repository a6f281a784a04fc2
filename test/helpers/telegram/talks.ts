import { acknowledge } from '../../../src/shared/messages/channels/acknowledge.ts';
import { prepareChannel } from '../../../src/shared/messages/channels/manage.ts';
import { receiveTold } from '../../../src/shared/messages/inbound/receive-told.ts';
import { createInboundStatements } from '../../../src/shared/messages/inbound/share-statements.ts';
import { telegramKindOf } from './kinds.ts';
import type { DeliveryWorld } from '../delivery-world.ts';
import type { Talk } from '../messages.ts';
import { write, type Bot } from './bots.ts';

/** Connects a bot with a channel of the world's account; answers its UUID. */
export const connectBot = async (world: DeliveryWorld, { token }: Bot): Promise<string> => {
  const asked = { type: 'telegram', name: 'Bot', bot_token: token };
  const { created } = await prepareChannel(world, world.accountId, asked);
  if (!created) throw new Error('the bot was not connected');
  return created.id;
};

/** Has Parley take the updates of a bot that wait, as its webhook does. */
export const takeUpdates = async (world: DeliveryWorld, bot: Bot, channelId: string): Promise<void> => {
  const { kind, inbound } = telegramKindOf(world.channelKinds);
  const channel = { id: channelId, accountId: world.accountId, config: { bot_token: bot.token } };
  const deps = { ...world, inbound: createInboundStatements({ db: world.db, forMessages: world.db }) };
  for (const update of bot.pending.splice(0)) {
    const request = { headers: {}, query: new URLSearchParams(), body: Buffer.from(JSON.stringify(update)) };
    const told = inbound.read(channel, request) ?? [];
    await receiveTold(deps, { accountId: world.accountId, channelId }, told);
    acknowledge(world, kind, { channel, told });
  }
};

/** A conversation that a user of Telegram has begun. */
export const aTelegramTalk = async (
  world: DeliveryWorld,
  bot: Bot,
  { channelId, userId }: { channelId: string; userId: number },
): Promise<Talk> => {
  write(bot, userId, 'hi');
  await takeUpdates(world, bot, channelId);
  const [row] = await world.db<{ contactId: string }[]>`
    select contact_id from contact_identities where channel_id = ${channelId} and external_id = ${String(userId)}`;
  if (!row) throw new Error('the message was not taken');
  return { contactId: row.contactId, channelId };
};
