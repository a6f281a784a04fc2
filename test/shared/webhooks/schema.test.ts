import { describe, expect, test } from 'vitest';
import { eventNames, eventOf } from '../../../src/shared/facts/names.ts';
import { newApiWebhook, newDashboardWebhook } from '../../../src/shared/webhooks/schema.ts';

const aWebhook = (fields: object) => ({
  url: 'https://example.com/hook',
  events: ['new_message'],
  secret: 's',
  ...fields,
});
const problemsOf = (fields: object): string[] =>
  (newApiWebhook.safeParse(aWebhook(fields)).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

test('a url has at most 2048 characters', () => {
  const url = `https://example.com/${'a'.repeat(2048)}`;
  expect(problemsOf({ url }).join()).toMatch(/^url: /);
});

describe('events', () => {
  test.each([[['*']], [['new_message', 'conversation_closed']], [[...eventNames]]])('takes %j', (events) => {
    expect(problemsOf({ events })).toEqual([]);
  });

  test.each([
    ['none', []],
    ['an unknown one', ['new_message', 'message_sent']],
    ['an empty name', ['']],
    ['one named twice', ['new_message', 'new_message']],
    ['* named twice', ['*', '*']],
    ['* beside another', ['*', 'new_message']],
    ['no list', 'new_message'],
    ['no texts', [1]],
  ])('refuses %s', (_what, events) => {
    expect(problemsOf({ events }).join()).toMatch(/^events/);
  });

  test('refuses conversation_closed for a dashboard webhook, and takes all others', () => {
    const parse = (events: readonly string[]) =>
      newDashboardWebhook.safeParse({ url: 'https://example.com/', events }).success;
    expect(parse(['conversation_closed'])).toBe(false);
    expect(parse(eventNames.filter((name) => eventOf(name).variants.length > 1))).toBe(true);
    expect(parse(['*'])).toBe(true);
  });
});

test('a secret is neither empty nor longer than 512 characters, and is taken as it is', () => {
  expect(problemsOf({ secret: '' }).join()).toMatch(/^secret: /);
  expect(problemsOf({ secret: 'a'.repeat(513) }).join()).toMatch(/^secret: /);
  expect(newApiWebhook.parse(aWebhook({ secret: ' key ' })).secret).toBe(' key ');
});

test('every problem is named at once, unknown fields included', () => {
  const { error } = newApiWebhook.safeParse({ url: 7, events: [], status: 'active' });
  expect(error?.issues.map(({ path, code }) => [path.join('.'), code])).toEqual(
    expect.arrayContaining([
      ['url', 'invalid_type'],
      ['events', 'too_small'],
      ['secret', 'invalid_type'],
      ['', 'unrecognized_keys'],
    ]),
  );
});
