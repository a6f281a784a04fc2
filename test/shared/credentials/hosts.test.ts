import { expect, test } from 'vitest';
import { mayBeSentTo } from '../../../src/shared/credentials/hosts.ts';

const bound = ['api.shop.example', '*.crm.example', '10.0.0.5', '[::1]'];

test.for(['api.shop.example', 'api.shop.example.', 'eu.crm.example', 'a.b.crm.example', '10.0.0.5', '[::1]'])(
  'is sent to %s',
  (host) => {
    expect(mayBeSentTo(bound, host)).toBe(true);
  },
);

test.for([
  'shop.example',
  'evil-api.shop.example',
  'api.shop.example.evil.example',
  'crm.example',
  'evilcrm.example',
  '10.0.0.50',
  '[::2]',
  '',
])('is not sent to %s', (host) => {
  expect(mayBeSentTo(bound, host)).toBe(false);
});
