import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../helpers/receiver.ts';
import { tlsFailures } from '../../../helpers/tls-failures.ts';
import { anEgress, aReceiver, post } from './builders.ts';

const inWords = (words: string) => expect.stringMatching(new RegExp(`^the server [ -~]*${words}`));

test.each(tlsFailures)(
  '%s fails by its name, in words, and nothing is received',
  async (_what, detail, options, words) => {
    const receiver = await aReceiver(options);
    const exchange = await post(anEgress({ allow: '127.0.0.0/8' }), receiver.url().replace('http:', 'https:'));
    expect(exchange).toMatchObject({ type: 'failed', reason: 'tls', detail, message: inWords(words) });
    expect(receiver.requests).toEqual([]);
  },
);

/** An alert by which a server refuses what a client has offered. */
const alert = (number: number) => Buffer.of(0x15, 3, 3, 0, 2, 2, number);

/** The hello of a server that knows TLS 1.0 only, and does not look at what it is offered. */
const oldHello = Buffer.concat([
  Buffer.of(0x16, 3, 1, 0, 0x2a, 2, 0, 0, 0x26, 3, 1),
  Buffer.alloc(32, 7),
  Buffer.of(0, 0, 0x2f, 0),
]);

/** What is no server of Node's: it takes the first bytes of a client, and does this. */
test.each<[string, (socket: Socket) => void, string, string]>([
  [
    'a host that the server does not know',
    (socket) => socket.end(alert(112)),
    'unknown_host',
    'does not know the host name',
  ],
  ['a server that wants no certificate but its own', (socket) => socket.end(alert(42)), 'client_certificate', 'client'],
  ['a server without TLS 1.2', (socket) => socket.end(alert(70)), 'old_tls', 'outdated TLS'],
  ['a server that speaks TLS 1.0 whatever it is offered', (socket) => socket.end(oldHello), 'old_tls', 'outdated TLS'],
  ['a server that asks for stronger ciphers', (socket) => socket.end(alert(71)), 'no_common_cipher', 'ciphers'],
  ['a fault of the server', (socket) => socket.end(alert(80)), 'handshake_failed', 'alert internal error'],
  ['a connection that is closed', (socket) => socket.end(), 'handshake_closed', 'closed the connection'],
  ['a connection that is reset', (socket) => socket.resetAndDestroy(), 'handshake_closed', 'closed the connection'],
  ['a mail server', (socket) => socket.end('220 mail.example ESMTP\r\n'), 'not_tls', 'does not use TLS'],
])('%s fails by its name, in words', async (_what, answer, detail, words) => {
  const server = createServer((socket) => socket.once('data', () => answer(socket)).on('error', () => {}));
  onTestFinished(() => void server.close());
  const port = await listen(server);
  const exchange = await post(anEgress({ allow: '127.0.0.0/8' }), `https://127.0.0.1:${port}/`);
  expect(exchange).toMatchObject({
    type: 'failed',
    reason: 'tls',
    detail,
    message: inWords(words),
    requestSent: false,
  });
});
