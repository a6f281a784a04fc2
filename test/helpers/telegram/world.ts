import type { MediaStore } from '../../../src/shared/media/store.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../delivery-world.ts';
import type { Bot } from './bots.ts';
import { kindsWithTelegram } from './kinds.ts';
import { startTelegram, type TelegramService } from './service.ts';
import { connectBot } from './talks.ts';

/** A world whose channels call a double of Telegram. */
export type TelegramWorld = {
  telegram: TelegramService;
  world: DeliveryWorld;
  /** A new bot with a channel, a UUID, of the world's account, at a Telegram that answers well. */
  connectNew: () => Promise<{ bot: Bot; channelId: string }>;
  stop: () => Promise<void>;
};

type Options = Omit<NonNullable<Parameters<typeof startDeliveryWorld>[0]>, 'channelKinds'> & { files?: MediaStore };

export const startTelegramWorld = async ({ files, ...options }: Options): Promise<TelegramWorld> => {
  const telegram = await startTelegram();
  const world = await startDeliveryWorld({ ...options, channelKinds: kindsWithTelegram(telegram, 'webhook', files) });
  return {
    telegram,
    world,
    connectNew: async () => {
      telegram.failBy(() => undefined);
      const bot = telegram.addBot();
      return { bot, channelId: await connectBot(world, bot) };
    },
    stop: async () => {
      await world.stop();
      await telegram.close();
    },
  };
};
