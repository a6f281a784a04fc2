import { afterAll, expect, test } from 'vitest';
import { startApi } from '../../helpers/api.ts';
import { edit, write } from '../../helpers/telegram/bots.ts';
import { kindsWithTelegram } from '../../helpers/telegram/kinds.ts';
import { startTelegram } from '../../helpers/telegram/service.ts';
import { handInAll } from '../../helpers/telegram/webhooks.ts';
import { anInboxAccount, log } from '../helpers/inbox.ts';
import { useWebOf } from '../helpers/web.ts';

const telegram = await startTelegram();
afterAll(() => telegram.close());
const api = await startApi({ channelKinds: kindsWithTelegram(telegram), egressAllow: '' });
const web = await useWebOf(api, api.stop);

test('a message that its contact has changed has its new text, and says that it was edited', async () => {
  const { session, call } = await anInboxAccount(api);
  const bot = telegram.addBot();
  await call('POST', '/channels', { type: 'telegram', name: 'Bot', bot_token: bot.token });
  const { messageId } = write(bot, 7, 'Size M, please');
  await handInAll(bot);
  const { data } = await call<{ data: { id: string }[] }>('GET', '/conversations');
  const page = await web.open(`/inbox/${data[0]?.id}`, { session, alone: true });
  await log(page).getByText('Size M, please').waitFor();
  expect(await log(page).getByText('Edited').count()).toBe(0);
  edit(bot, 7, { messageId, at: 1_900_000_000, text: 'Size L, please' });
  await handInAll(bot);
  await log(page).getByText('Size L, please').waitFor();
  await log(page).getByText('Edited').waitFor();
});
