import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signDelivery } from '../../../src/shared/signing/signature.ts';

const body = Buffer.from('The quick brown fox jumps over the lazy dog');
const attempt = { id: 'dlv_1', timestampSeconds: 1_700_000_000 };

test('X-Service-Signature is the lowercase hex HMAC-SHA256 of the body (a published vector)', () => {
  const headers = signDelivery({ secret: 'key', body, ...attempt });
  expect(headers['X-Service-Signature']).toBe('f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8');
});

test('X-Service-Signature covers the bytes as they are, not the text that they would make', () => {
  const bytes = Buffer.from([0xff, 0x00, 0xfe, 0x0a]);
  const headers = signDelivery({ secret: 'key', body: bytes, ...attempt });
  expect(headers['X-Service-Signature']).toBe(createHmac('sha256', 'key').update(bytes).digest('hex'));
});

test('X-Service-Signature takes the whole secret as its key, the prefix whsec_ included', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const headers = signDelivery({ secret, body, ...attempt });
  expect(headers['X-Service-Signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'));
});

test('webhook-signature is what the verifiers of Standard Webhooks expect (their published vector)', () => {
  const headers = signDelivery({
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    body: Buffer.from('{"test": 2432232314}'),
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampSeconds: 1_614_265_330,
  });
  expect(headers).toMatchObject({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test.each(['a secret of my own', 'whsec_', 'whsec_not base64!', 'whsec_abc'])(
  'webhook-signature is keyed with the UTF-8 bytes of a secret that is not whsec_ and base64: %s',
  (secret) => {
    const headers = signDelivery({ secret, body, ...attempt });
    const expected = createHmac('sha256', secret).update(`dlv_1.1700000000.`).update(body).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
  },
);
