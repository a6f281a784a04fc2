import { expect, onTestFinished, test } from 'vitest';
import { listenToTyping } from '../../helpers/webchat/visitor-stream.ts';
import { aVisitor, aWebchat } from '../../helpers/webchat/visitor.ts';
import { anInboxAccount, rows, writeNote } from '../helpers/inbox.ts';
import { useLiveWeb } from '../helpers/live-web.ts';

const { live, web } = await useLiveWeb();
const { api } = live;

test('an agent sees that a visitor types, in the row and in the thread, and the visitor that the agent replies', async () => {
  const account = await anInboxAccount(api);
  const channel = await aWebchat(api, account);
  const visitor = aVisitor(api, channel);
  await visitor.say('Is the blue one still there?');
  const { conversation } = await visitor.read();
  const stream = await listenToTyping(api, channel, visitor);
  onTestFinished(stream.close);
  const types = (isTyping: boolean) => visitor.ask('POST', '/typing', { body: { is_typing: isTyping } });
  const list = await web.open('/inbox', { session: account.colleague, alone: true });
  const row = rows(list).filter({ hasText: 'Is the blue one still there?' });
  await row.waitFor();
  const page = await web.open(`/inbox/${conversation?.id}`, { session: account.session, alone: true });
  const reply = page.getByRole('textbox', { name: /^Reply to/ });
  await reply.waitFor();

  await expect
    .poll(
      async () => {
        await types(true);
        return page.locator('.inbox-typing').textContent();
      },
      { timeout: 20_000, interval: 1_000 },
    )
    .toMatch(/is typing…$/);
  await rows(list).filter({ hasText: 'Typing…' }).waitFor();
  await types(false);
  await row.waitFor();
  await expect.poll(() => page.locator('.inbox-typing').textContent()).toBe('');

  await reply.fill('Yes, it is');
  await stream.untilTyping({ bot: false, agent: true });
  await writeNote(page);
  await stream.untilTyping({ bot: false, agent: false });
});
