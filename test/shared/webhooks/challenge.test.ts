import { expect, test } from 'vitest';
import { returnsChallenge, sendChallenge } from '../../../src/shared/webhooks/challenge.ts';
import { anEgress, aReceiver } from '../platform/egress/builders.ts';

const value = 'Zm9vYmFy-_0123456789abcdefghijkl';
const returns = (answer: string): boolean => returnsChallenge(answer, value);

test.each([
  ['JSON with the field challenge', JSON.stringify({ challenge: value })],
  ['JSON with other fields beside it', JSON.stringify({ ok: true, challenge: value })],
  ['a JSON string', JSON.stringify(value)],
  ['bare text', value],
  ['bare text in white space', ` ${value}\r\n`],
  ['JSON after a byte order mark', `\uFEFF${JSON.stringify({ challenge: value })}`],
])('the challenge may be returned as %s', (_form, answer) => {
  expect(returns(answer)).toBe(true);
});

test.each([
  ['nothing', ''],
  ['another value', 'Zm9vYmFy-_0123456789abcdefghijkm'],
  ['a part of the value', value.slice(0, -1)],
  ['the value and more', `${value}${value}`],
  ['a page that holds the value', `<html>${value}</html>`],
  ['the value in another field', JSON.stringify({ token: value })],
  ['the value in another letter case', value.toUpperCase()],
  ['the value in a list', JSON.stringify([value])],
  ['a field that is no text', JSON.stringify({ challenge: { challenge: value } })],
  ['JSON null', 'null'],
])('the challenge is not returned by %s', (_form, answer) => {
  expect(returns(answer)).toBe(false);
});

test('numbers and bytes that are not text are answers like any other', () => {
  expect(returnsChallenge('12345', '12345')).toBe(true);
  expect(returns(new TextDecoder().decode(Uint8Array.of(0xff, 0xfe, 0x00)))).toBe(false);
});

test('a challenge for which there was no look-up left says so, and blames nobody', async () => {
  const egress = anEgress({ maxLookups: 1, lookupTimeoutMs: 100, lookup: () => new Promise(() => {}) });
  const hanging = egress.checkUrl({ url: 'https://silent.test/', accountId: 'acme' });
  expect(await sendChallenge(egress, { accountId: 'acme', url: 'https://receiver.test/', secret: 's' })).toMatchObject({
    ok: false,
    reason: 'busy',
    message: 'nothing was sent, for too many of its look-ups are under way; try again in a moment',
    status: null,
  });
  await hanging;
});

test('a challenge that a certificate keeps away says in words what is wrong with it', async () => {
  const receiver = await aReceiver({ selfSigned: true });
  const egress = anEgress({ allow: '127.0.0.0/8' });
  const check = await sendChallenge(egress, { accountId: 'acme', url: receiver.url('/hook'), secret: 's' });
  expect(check).toMatchObject({
    ok: false,
    reason: 'tls',
    message: expect.stringContaining('a self-signed certificate'),
  });
});
