import { expect, onTestFinished, test } from 'vitest';
import { createCallBot } from '../../../../../src/shared/messages/channels/telegram/bot-api.ts';
import { judgeSending } from '../../../../../src/shared/messages/channels/telegram/send.ts';
import { startReceiver, type Answer } from '../../../../helpers/receiver.ts';
import { anEgress } from '../../../platform/egress/builders.ts';

const bodies: Readonly<Record<string, (status: number) => string>> = {
  'the Bot API': (status) => JSON.stringify({ ok: false, error_code: status, description: 'why' }),
  'a proxy, in HTML': () => '<html>Forbidden</html>',
  'a proxy, in JSON': () => '{"message":"Forbidden"}',
  'a proxy, without a word': () => '',
};

/** What a message comes to that is answered so. */
const judged = async (respond: Answer) => {
  const receiver = await startReceiver({ plain: true, respond });
  onTestFinished(() => receiver.close());
  const callBot = createCallBot({ apiUrl: receiver.url('').replace(/\/$/, '') });
  const bot = { accountId: 'one', config: { bot_token: `1:${'a'.repeat(35)}` } };
  const parameters = { chat_id: '1', text: 'hi' };
  return judgeSending(await callBot(anEgress({ allow: '127.0.0.0/8' }), bot, { method: 'sendMessage', parameters }));
};

const again = { type: 'refused', permanent: false };
const later = { type: 'later', pausesChannel: true };
const unanswered = { type: 'unanswered' };
const statuses = [400, 401, 403, 404, 408, 413, 429];

test.for<[number, string, object]>([
  [400, 'the Bot API', { type: 'refused', permanent: true, blocksContact: false }],
  [401, 'the Bot API', { ...again, blocksContact: false }],
  [403, 'the Bot API', { type: 'refused', permanent: true, blocksContact: true }],
  [404, 'the Bot API', { ...again, blocksContact: false }],
  [408, 'the Bot API', { ...again, blocksContact: false }],
  [413, 'the Bot API', { ...again, blocksContact: false }],
  [429, 'the Bot API', later],
  [500, 'the Bot API', { ...again, blocksContact: false }],
  ...Object.keys(bodies)
    .slice(1)
    .flatMap((by) => [
      ...statuses.map((status): [number, string, object] => [status, by, status === 429 ? later : again]),
      ...[200, 302, 500, 502, 503, 504].map((status): [number, string, object] => [status, by, unanswered]),
    ]),
])(
  'a message that is answered %i by %s blocks no contact unless the Bot API says so',
  async ([status, by, expected]) => {
    const outcome = await judged({ type: 'respond', status, body: bodies[by]?.(status) ?? '' });
    expect(outcome).toMatchObject(expected);
    expect('blocksContact' in outcome && outcome.blocksContact).toBe(status === 403 && by === 'the Bot API');
  },
);
