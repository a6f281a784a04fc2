import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { showMessage } from '../../src/shared/messages/schema.ts';
import { findLatestAttempts } from '../../src/shared/deliveries/attempt-log.ts';
import { showAttempt } from '../../src/shared/deliveries/schema.ts';
import { showId } from '../../src/shared/ids.ts';
import type { FailureDetail } from '../../src/shared/platform/egress/failure-details.ts';
import { sendChallenge } from '../../src/shared/webhooks/challenge.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../helpers/delivery-world.ts';
import { aChannel, aTalk, readMessage, send, sendingsOf } from '../helpers/messages.ts';
import { startReceiver, type ReceiverOptions } from '../helpers/receiver.ts';
import { retireWebhooks } from '../helpers/states/webhooks.ts';
import { tlsFailures } from '../helpers/tls-failures.ts';
import { noLinks } from '../helpers/no-links.ts';

let world: DeliveryWorld;
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  world = await startDeliveryWorld({ log });
});

afterAll(() => world.stop());

type Case = [what: string, detail: FailureDetail, options: ReceiverOptions, words: string];

const cases: Case[] = [
  ...tlsFailures,
  [
    'more than 64 kB of headers',
    'headers_too_large',
    { respond: { type: 'respond', headers: { 'x-a': Array<string>(70).fill('x'.repeat(1_000)) } } },
    'more than 64 kB of headers',
  ],
];

const urlOf = async (options: ReceiverOptions): Promise<string> => {
  const receiver = await startReceiver(options);
  onTestFinished(() => receiver.close());
  return receiver.url('/hook').replace('http:', 'https:');
};

const logged = (msg: string) => lines.findLast((line) => line['msg'] === msg);

test.each(cases)(
  'an attempt that fails by %s says so in words, in API and log',
  async (_what, detail, options, words) => {
    await retireWebhooks(world.db);
    await world.aWebhook({ url: await urlOf(options) });
    const [id = ''] = await world.anEvent();
    const key = { deliveryId: showId('delivery', id), round: 1, kind: 'scheduled', number: 1 } as const;
    await world.attempt(key);
    const { latest } = await findLatestAttempts(world.db, id);
    const inWords = expect.stringMatching(new RegExp(`^the server .*${words}`));
    expect(latest.map(showAttempt)).toMatchObject([{ detail, explanation: inWords }]);
    expect(logged('delivery.attempted')).toMatchObject({ detail, message: inWords });
  },
);

test.each(cases)(
  'a message that fails by %s says so in words, in API and log',
  async (_what, detail, options, words) => {
    const talk = await aTalk(world, await aChannel(world, await urlOf(options)));
    const id = await send(world, talk);
    const sendingId = sendingsOf(world).at(-1)?.split('/')[1] ?? '';
    await world.activities.sendNextMessage({ sendingId, resumes: 0 });
    const inWords = expect.stringMatching(new RegExp(`^the server .*${words}`));
    expect(showMessage(await readMessage(world, id), noLinks)).toMatchObject({
      status: 'queued',
      detail,
      explanation: inWords,
    });
    expect(logged('message.attempted')).toMatchObject({ detail, message: inWords });
  },
);

test.each(cases)('a challenge that fails by %s says so in words', async (_what, _detail, options, words) => {
  const endpoint = { accountId: world.accountId, url: await urlOf(options), secret: 's' };
  expect(await sendChallenge(world.egress, endpoint)).toMatchObject({
    ok: false,
    message: expect.stringMatching(new RegExp(`^the server .*${words}`)),
  });
});

test('an attempt keeps at most 16 kB of the headers of its answer', async () => {
  await retireWebhooks(world.db);
  const headers = { 'x-large': Array<string>(20).fill('x'.repeat(1_000)), 'x-small': 'a' };
  await world.aWebhook({ url: await urlOf({ respond: { type: 'respond', status: 500, headers } }) });
  const [id = ''] = await world.anEvent();
  const key = { deliveryId: showId('delivery', id), round: 1, kind: 'scheduled', number: 1 } as const;
  await world.attempt(key);
  const { latest } = await findLatestAttempts(world.db, id);
  expect(latest.map(showAttempt)).toMatchObject([{ status_code: 500, response_headers: { 'x-small': 'a' } }]);
  expect(latest[0]?.responseHeaders).not.toHaveProperty('x-large');
});
