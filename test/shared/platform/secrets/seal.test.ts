import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSecrets } from '../../../../src/shared/platform/secrets/seal.ts';

const key = randomBytes(32);
const place = { accountId: 'account', rowId: 'row' };

describe('sealed secrets', () => {
  test('open to what was sealed, and are different each time', () => {
    const secrets = createSecrets(key);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (secret) => {
        const [one, other] = [secrets.seal(secret, place), secrets.seal(secret, place)];
        expect(secrets.open(one, place)).toBe(secret.toWellFormed());
        expect(one.equals(other)).toBe(false);
      }),
    );
  });

  test('do not open in another row or account', () => {
    const secrets = createSecrets(key);
    const sealed = secrets.seal('secret', place);
    expect(() => secrets.open(sealed, { ...place, rowId: 'other' })).toThrow('authenticate');
    expect(() => secrets.open(sealed, { ...place, accountId: 'other' })).toThrow('authenticate');
  });

  test('do not open when any byte was changed', () => {
    const secrets = createSecrets(key);
    const sealed = secrets.seal('secret', place);
    for (let at = 0; at < sealed.length; at += 1) {
      const tampered = Buffer.from(sealed);
      tampered[at] = (tampered[at] ?? 0) ^ 1;
      expect(() => secrets.open(tampered, place)).toThrow(/authenticate|master key/);
    }
  });

  test('open with the previous master key while it is given, and say so when no key fits', () => {
    const sealed = createSecrets(key).seal('secret', place);
    const rotated = randomBytes(32);
    expect(createSecrets(rotated, key).open(sealed, place)).toBe('secret');
    expect(() => createSecrets(rotated).open(sealed, place)).toThrow('sealed with a master key that is not given');
  });
});
