import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkSignature } from '../../../src/shared/webhooks/check-signature.ts';

const body = '{"event":"new_contact","name":"Zoë/1"}';
const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const previousSecret = 'the one before';
const secrets = { secret, previousSecret };

const hmac = (key: string | Buffer, bytes: string) => createHmac('sha256', key).update(bytes);
const hex = (key: string | Buffer = secret, bytes = body) => hmac(key, bytes).digest('hex');
const decoded = Buffer.from(secret.slice(6), 'base64');
const standard = (key: string | Buffer = decoded, bytes = body, head = 'dlv_1.1700000000') =>
  `v1,${hmac(key, `${head}.${bytes}`).digest('base64')}`;
const headers = { id: 'dlv_1', timestamp: '1700000000' };

const check = (given: { body?: string; signature: string; id?: string; timestamp?: string }) => {
  const { problems, ...rest } = checkSignature(secrets, { body, ...given });
  return { ...rest, problems: problems.map(({ code }) => code) };
};

describe('X-Service-Signature', () => {
  test('of exactly these bytes is valid under the present secret, and under the previous one while there is one', () => {
    const header = 'X-Service-Signature';
    expect(check({ signature: hex() })).toEqual({ valid: true, header, secret: 'present', problems: [] });
    expect(check({ signature: hex(previousSecret) })).toEqual({
      valid: true,
      header,
      secret: 'previous',
      problems: [],
    });
    expect(checkSignature({ secret }, { body, signature: hex(previousSecret) })).toMatchObject({
      valid: false,
      secret: null,
    });
  });

  test.for([
    ['upper case', hex().toUpperCase(), ['upper_case']],
    ['white space around it', ` ${hex()}\n`, ['surrounded']],
    ['the name of an algorithm', `sha256=${hex()}`, ['surrounded']],
    ['its header', `X-Service-Signature: ${hex().toUpperCase()}`, ['surrounded', 'upper_case']],
    ['quotes', `"${hex()}"`, ['surrounded']],
    ['base64', hmac(secret, body).digest('base64'), ['base64']],
    ['base64 for urls', hmac(secret, body).digest('base64url'), ['base64']],
  ] as const)('with %s is not valid, and what is wrong is all that is told', ([, signature, problems]) => {
    expect(check({ signature })).toEqual({
      valid: false,
      header: 'X-Service-Signature',
      secret: 'present',
      problems: [...problems],
    });
  });

  test.for([
    ['a newline at its end', `${body}\n`, ['body_surrounded']],
    ['a byte order mark', `\uFEFF${body}`, ['body_surrounded']],
    ['an indentation', JSON.stringify(JSON.parse(body), null, 2), ['body_reformatted']],
    ['escapes that other languages write', body.replace('ë', '\\u00eb').replace('/', '\\/'), ['body_reformatted']],
  ] as const)('of a body that has got %s names that', ([, changed, problems]) => {
    expect(check({ signature: hex(), body: changed })).toMatchObject({ valid: false, problems: [...problems] });
    expect(check({ signature: standard(), ...headers, body: changed })).toMatchObject({ problems: [...problems] });
  });

  test('that a receiver made with the decoded secret names that', () => {
    expect(check({ signature: hex(decoded) })).toMatchObject({
      valid: false,
      secret: 'present',
      problems: ['decoded_key'],
    });
  });

  test('of another body, another order of its fields or another secret matches nothing', () => {
    const none = { valid: false, header: 'X-Service-Signature', secret: null, problems: ['mismatch'] };
    expect(check({ signature: hex(), body: '{}' })).toEqual(none);
    expect(check({ signature: hex(), body: '{"name":"Zoë/1","event":"new_contact"}' })).toEqual(none);
    expect(check({ signature: hex('another') })).toEqual(none);
    expect(check({ signature: hex().replace(/.$/, (last) => (last === '0' ? '1' : '0')) })).toEqual(none);
  });

  test('in base64 for urls is known whichever characters it has', () => {
    for (let number = 0; number < 20; number += 1) {
      const text = `{"number":${number}}`;
      const signature = hmac(secret, text).digest('base64url');
      expect(check({ signature, body: text }).problems).toEqual(['base64']);
    }
  });

  test('of another body tells how it is written as well', () => {
    expect(check({ signature: hex().toUpperCase(), body: '{}' }).problems).toEqual(['upper_case', 'mismatch']);
  });

  test('is told how long it is without the white space around it', () => {
    const { problems } = checkSignature(secrets, { body, signature: ` ${hex().slice(1)}\n` });
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('this has 63.')]);
  });

  test.for(['x', hex().slice(1), `${hex()}0`, hex().replace(/^./, 'g'), `${hex()} ${hex()}`])(
    'is not what is no 64 characters of hex: %s',
    (signature) => {
      const answer = { valid: false, header: null, secret: null, problems: ['not_a_signature'] };
      expect(check({ signature })).toEqual(answer);
    },
  );
});

describe('webhook-signature', () => {
  const header = 'webhook-signature';

  test('is valid with its id and time, alone or beside another, under the present secret or the previous one', () => {
    const valid = { valid: true, header, secret: 'present', problems: [] };
    expect(check({ signature: standard(), ...headers })).toEqual(valid);
    expect(check({ signature: `${standard('x')} ${standard()}`, ...headers })).toEqual(valid);
    expect(check({ signature: standard(previousSecret), ...headers })).toEqual({ ...valid, secret: 'previous' });
    expect(check({ signature: `webhook-signature: ${standard()}`, ...headers })).toEqual(valid);
  });

  test.for([{}, { id: 'dlv_1' }, { timestamp: '1700000000' }])('asks for what it covers as well: %s', (some) => {
    expect(check({ signature: standard(), ...some })).toEqual({
      valid: false,
      header,
      secret: null,
      problems: ['needs_id_and_timestamp'],
    });
  });

  test('that was made with the whole secret names that', () => {
    expect(check({ signature: standard(secret), ...headers })).toMatchObject({
      valid: false,
      secret: 'present',
      problems: ['whole_key'],
    });
  });

  test('of another id or time matches nothing', () => {
    const none = { valid: false, header, secret: null, problems: ['mismatch'] };
    expect(check({ signature: standard(), ...headers, id: 'dlv_2' })).toEqual(none);
    expect(check({ signature: standard(), ...headers, timestamp: '1700000001' })).toEqual(none);
  });
});

test('a secret that is not whsec_ and base64 has one key, whichever the header', () => {
  const plain = { secret: 'a secret of my own' };
  expect(checkSignature(plain, { body, signature: hex(plain.secret) }).valid).toBe(true);
  expect(checkSignature(plain, { body, signature: standard(plain.secret), ...headers }).valid).toBe(true);
});

test('no answer has a secret, or the signature that would be right', () => {
  const given = [`${hex()}0`, hex('another'), standard('x'), hex(decoded), 'x'.repeat(1_000)];
  for (const signature of given) {
    const text = JSON.stringify(checkSignature(secrets, { body, signature, ...headers }));
    for (const hidden of [secret, secret.slice(6), previousSecret, hex(), hex(previousSecret), standard().slice(3)])
      expect(text).not.toContain(hidden);
  }
});

test('a body that is nested too deeply to be written anew is taken as it is', () => {
  const nested = '['.repeat(125_000) + ']'.repeat(125_000);
  expect(check({ signature: hex(secret, nested), body: nested })).toMatchObject({ valid: true });
  expect(check({ signature: hex(), body: nested })).toMatchObject({ problems: ['mismatch'] });
});
