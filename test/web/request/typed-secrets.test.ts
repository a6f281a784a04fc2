import { expect, test } from 'vitest';
import {
  proposeCredential,
  replaceSecret,
  typedSecretsOf,
} from '../../../src/web/pages/flows/request/typed-secrets.ts';

const url = 'https://api.shop.example/orders';

const firstOf = (block: Record<string, unknown>) => {
  const [typed] = typedSecretsOf(block);
  if (!typed) throw new Error('no secret is found');
  return typed;
};

test.for<[Record<string, unknown>, object, object]>([
  [
    { url, headers: { Accept: 'x', Authorization: 'Bearer sk_live_1' } },
    { name: 'shop', type: 'bearer', hosts: ['api.shop.example'], token: 'sk_live_1' },
    { credential: 'shop', headers: { Accept: 'x' } },
  ],
  [
    { url, headers: { 'X-Api-Key': 'k' } },
    { name: 'shop', type: 'header', header: 'X-Api-Key', value: 'k' },
    { credential: 'shop', headers: undefined },
  ],
  [
    { url, query: { api_key: 'k' } },
    { name: 'shop', type: 'query', parameter: 'api_key', value: 'k' },
    { credential: 'shop', query: undefined },
  ],
  [
    { url, credential: 'crm', headers: { Authorization: 'Token k1' } },
    { name: 'shop', type: 'header', header: 'Authorization', value: 'Token k1' },
    { headers: { Authorization: '{{credential.shop}}' } },
  ],
  [
    { url, form: { client_secret: 'k', a: 'b' } },
    { type: 'query', parameter: 'client_secret', value: 'k' },
    { form: { client_secret: '{{credential.shop}}', a: 'b' } },
  ],
])('a typed secret becomes a credential, and goes out of the block (%#)', ([block, credential, changes]) => {
  const typed = firstOf(block);
  expect(proposeCredential(block, typed, ['other'])).toMatchObject(credential);
  expect(replaceSecret(block, typed, 'shop')).toEqual(changes);
});

test('a name that a credential has already is not proposed again', () => {
  const block = { url, headers: { 'X-Api-Key': 'k' } };
  expect(proposeCredential(block, firstOf(block), ['shop'])).toMatchObject({ name: 'shop_2' });
});

test('a placeholder is no typed secret, and a block with wrong values has none', () => {
  expect(typedSecretsOf({ headers: { 'X-Api-Key': '{{credential.shop}}' }, query: 7, form: [1] })).toEqual([]);
});
