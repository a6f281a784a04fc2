import { randomBytes, randomUUID } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import pino from 'pino';
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { apiChannel } from '../../../../src/shared/messages/channels/api/kind.ts';
import { makeAttempt } from '../../../../src/shared/deliveries/make-attempt.ts';
import { createDeliveryMetrics } from '../../../../src/shared/deliveries/metrics.ts';
import { attemptRequest } from '../../../../src/shared/external-requests/attempt-request.ts';
import type { Egress } from '../../../../src/shared/platform/egress/client.ts';
import { createSecrets } from '../../../../src/shared/platform/secrets/seal.ts';
import { sendChallenge } from '../../../../src/shared/webhooks/challenge.ts';
import type { Answer, ReceivedRequest } from '../../../helpers/receiver.ts';
import { aBlock, aField, rendered } from '../../external-requests/builders.ts';
import { anEgress, aReceiver } from './builders.ts';

const secrets = createSecrets(randomBytes(32));
const accountId = randomUUID();

/** A sealed secret of its own. */
const aSecret = (rowId: string) => secrets.seal('s3cret', { accountId, rowId });

const deliver = async (egress: Egress, url: string): Promise<unknown> => {
  const webhookId = randomUUID();
  const due = {
    id: randomUUID(),
    accountId,
    webhookId,
    url,
    variant: 'api' as const,
    isTest: false,
    body: Buffer.from('{"event":"new_message"}'),
    status: 'pending' as const,
    inProgress: true,
    attemptsMade: 0,
    dueInMs: 0,
    unmet: null,
    generation: 1,
    createdAt: new Date(),
    startedAt: new Date(),
    traceparent: null,
    recorded: null,
    ownSecret: aSecret(webhookId),
    accountSecret: aSecret(accountId),
    previousSecret: null,
    readMs: performance.now(),
  };
  const deps = { egress, secrets, log: pino({ level: 'silent' }), metrics: createDeliveryMetrics(new Registry()) };
  const made = await makeAttempt(deps, { round: 1, kind: 'scheduled', number: 1 }, due);
  return made.type === 'made' && made.attempt.outcome;
};

const challenge = async (egress: Egress, url: string): Promise<unknown> => {
  const { ok } = await sendChallenge(egress, { accountId, url, secret: 's3cret' });
  return ok ? 'succeeded' : 'failed';
};

const callBack = async (egress: Egress, url: string): Promise<unknown> => {
  const id = randomUUID();
  const channel = {
    id,
    accountId,
    type: 'api',
    callbackUrl: url,
    config: null,
    secret: aSecret(id),
    previousSecret: null,
  };
  const message = {
    id: randomUUID(),
    contactId: randomUUID(),
    senderExternalId: 'ada',
    conversationId: randomUUID(),
    text: 'hello',
    imageUrl: null,
    quickReplies: [],
    attachments: [],
    clientRef: null,
    createdAt: new Date(),
  };
  const { type } = await apiChannel.send({ egress, secrets }, { channel, message, part: 0, at: new Date() });
  return type === 'sent' ? 'succeeded' : type;
};

const request = async (egress: Egress, url: string): Promise<unknown> => {
  const fields = { method: 'POST', url, body: '{}', mapping: [{ path: 'left', field: 'left' }] };
  const made = await attemptRequest(egress, {
    accountId,
    config: aBlock(fields),
    rendered: rendered(fields),
    credentials: new Map(),
    known: { fields: new Map([aField('left', 'number')]), timeZone: 'UTC', country: null },
    v: 2,
  });
  return made.type === 'made' && made.mapped.fields[0]?.outcome === 'set' ? 'succeeded' : made;
};

/** The answer that every caller is content with. */
const bodyFor = ({ rawBody }: ReceivedRequest): string => {
  const asked: unknown = JSON.parse(rawBody.toString());
  const value = typeof asked === 'object' && asked !== null && 'challenge' in asked ? asked.challenge : null;
  return JSON.stringify({ challenge: value, left: 3 });
};

const respond = (options: Omit<Extract<Answer, { type: 'respond' }>, 'type'>, body: string | Uint8Array): Answer => ({
  type: 'respond',
  body,
  ...options,
});
const raw = (head: string, body: string): Answer => ({ type: 'raw', bytes: `${head}${body}` });

describe.each([
  ['a delivery', deliver],
  ['a challenge', challenge],
  ['a channel callback', callBack],
  ['an External Request', request],
] as const)('%s succeeds when the answer', (_caller, call) => {
  test.each<[string, (body: string) => Answer]>([
    ['follows an unasked 100 Continue', (body) => respond({ interim: [100] }, body)],
    ['follows 100, 102 and 103', (body) => respond({ interim: [100, 102, 103] }, body)],
    ['has 20 kB of cookies', (body) => respond({ headers: { 'set-cookie': Array(40).fill('x'.repeat(500)) } }, body)],
    ['names the encoding utf-8', (body) => respond({ headers: { 'content-encoding': 'utf-8' } }, body)],
    ['has a folded header', (body) => raw('HTTP/1.1 200 OK\r\nx-a: b\r\n c\r\nconnection: close\r\n\r\n', body)],
    ['ends its lines with bare line feeds', (body) => raw('HTTP/1.0 200 OK\nserver: old\n\n', body)],
    [
      'says its length twice',
      (body) => raw(`HTTP/1.1 200 OK\r\n${`content-length: ${body.length}\r\n`.repeat(2)}\r\n`, body),
    ],
    ['is compressed by gzip', (body) => respond({ headers: { 'content-encoding': 'gzip' } }, gzipSync(body))],
    ['is compressed by deflate', (body) => respond({ headers: { 'content-encoding': 'deflate' } }, deflateSync(body))],
    ['is compressed by br', (body) => respond({ headers: { 'content-encoding': 'br' } }, brotliCompressSync(body))],
  ])('%s', async (_what, answer) => {
    const receiver = await aReceiver({ respond: (received) => answer(bodyFor(received)) });
    expect(await call(anEgress({ allow: '127.0.0.0/8' }), receiver.url('/hook'))).toBe('succeeded');
    expect(receiver.requests).toHaveLength(1);
  });
});

test.each([
  ['a delivery', deliver],
  ['a challenge', challenge],
  ['a channel callback', callBack],
] as const)('%s asks for an answer of any type that is not compressed', async (_caller, call) => {
  const receiver = await aReceiver();
  await call(anEgress({ allow: '127.0.0.0/8' }), receiver.url());
  expect(receiver.requests[0]?.headers).toMatchObject({ accept: '*/*', 'accept-encoding': 'identity' });
});

test('a redirect of an External Request leads where its Location says in UTF-8', async () => {
  const receiver = await aReceiver({
    respond: [{ type: 'raw', bytes: Buffer.from('HTTP/1.1 302 Found\r\nLocation: /Größe\r\n\r\n') }, 200],
  });
  const fields = { url: receiver.url(), follow_redirects: true };
  const made = await attemptRequest(anEgress({ allow: '127.0.0.0/8' }), {
    accountId,
    config: aBlock(fields),
    rendered: rendered(fields),
    credentials: new Map(),
    known: { fields: new Map(), timeZone: 'UTC', country: null },
    v: 2,
  });
  expect(made).toMatchObject({ outcome: { type: 'answered', status: 200 } });
  expect(receiver.requests.map(({ path }) => path)).toEqual(['/', '/Gr%C3%B6%C3%9Fe']);
});

describe('an External Request whose response is in an encoding that nobody reads', () => {
  const callOf = async (status: number, fields: object) => {
    const receiver = await aReceiver({
      respond: { type: 'respond', status, headers: { 'content-encoding': 'zstd' }, body: 'packed' },
    });
    const block = { url: receiver.url(), ...fields };
    const made = await attemptRequest(anEgress({ allow: '127.0.0.0/8' }), {
      accountId,
      config: aBlock(block),
      rendered: rendered(block),
      credentials: new Map(),
      known: { fields: new Map([aField('left', 'number')]), timeZone: 'UTC', country: null },
      v: 2,
    });
    return made.type === 'made' ? { outcome: made.outcome, mapped: made.mapped } : made;
  };

  test.each([
    ['nothing is mapped', 200, {}],
    ['only its status is mapped', 200, { mapping: [{ path: '$status', field: 'left' }] }],
    ['it says that the service failed', 503, { mapping: [{ path: 'left', field: 'left' }] }],
  ])('counts by its status where %s', async (_what, status, fields) => {
    expect(await callOf(status, fields)).toMatchObject({ outcome: { type: 'answered', status }, mapped: { ok: true } });
  });

  test('fails as such where its body is mapped', async () => {
    const made = await callOf(200, { mapping: [{ path: 'left', field: 'left' }] });
    expect(made).toMatchObject({
      outcome: { type: 'failed', reason: 'encoding', message: 'cannot be decoded as zstd' },
    });
  });
});
