import { vi } from 'vitest';
import { handIn } from '../../helpers/telegram/webhooks.ts';
import { write } from '../../helpers/telegram/bots.ts';
import { aFlowThatAnswers, make } from '../make.ts';
import { keepDoing, type Adversary } from './adversary.ts';

export const noisyBot: Adversary = {
  title: 'A bot of Telegram to which everybody writes',
  how: 'messages of 1,000 people with the right secret, 40 at a time as Telegram hands them in, which a flow answers',
  begin: async (caller, { telegram }) => {
    const bot = telegram.addBot();
    await make(caller, '/channels', { name: 'Bot', type: 'telegram', bot_token: bot.token });
    await aFlowThatAnswers(caller);
    const stop = keepDoing(bot.webhook?.connections ?? 0, async (count) => {
      const update = write(bot, 1 + (count % 1_000), `message ${count}`);
      bot.pending.length = 0;
      await handIn(bot, update);
    });
    await vi.waitUntil(() => bot.got.length >= 100, { timeout: 60_000 });
    return stop;
  },
};
