import { describe, expect, test } from 'vitest';
import { isSecretName } from '../../../src/shared/platform/secret-names.ts';
import { secretNames } from '../../helpers/secret-names.ts';

describe('a name that carries a secret by custom is known in every spelling', () => {
  test.for(secretNames)('%s', (name) => {
    const spellings = [
      name,
      name.toLowerCase(),
      name.toUpperCase(),
      name.replaceAll('-', '_'),
      name.replaceAll('-', '.'),
      name.replaceAll('-', ' '),
      `X-${name}`,
    ];
    for (const spelling of spellings) expect([spelling, isSecretName(spelling)]).toEqual([spelling, true]);
  });

  test.for(['apiKey', 'accessKey', 'clientSecret', 'userPass', 'authUser', 'X-Api_Key', 'user[password]', 'key'])(
    '%s',
    (name) => {
      expect(isSecretName(name)).toBe(true);
    },
  );
});

test.for([
  'Accept',
  'Accept-Language',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'WWW-Authenticate',
  'Access-Control-Allow-Credentials',
  'X-Trace',
  'X-Author',
  'X-Cache-Key',
  'author',
  'keyword',
  'sort_key',
  'passenger',
  'compass',
  'design',
  'monkey',
  'limit',
  'k',
  '',
])('a name that carries no secret by custom is not taken for one: %s', (name) => {
  expect(isSecretName(name)).toBe(false);
});
