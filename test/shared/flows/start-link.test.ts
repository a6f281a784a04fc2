import { expect, test } from 'vitest';
import { coversStartLink, matchesStartLink, readStartPayload } from '../../../src/shared/flows/start-link.ts';

test.for([
  ['/start summer', 'summer'],
  [' /start Ref_7-x \n', 'Ref_7-x'],
  [`/start ${'a'.repeat(64)}`, 'a'.repeat(64)],
  ['/start', undefined],
  ['/start ', undefined],
  [`/start ${'a'.repeat(65)}`, undefined],
  ['/start summer sale', undefined],
  ['/start {{contact.email}}', undefined],
  ['/start <b>', undefined],
  ['/starts summer', undefined],
  ['please /start summer', undefined],
  [`/start${' '.repeat(100_000)}x`, undefined],
] as const)('reads the payload of %j as %j', ([text, payload]) => {
  expect(readStartPayload(text)).toBe(payload);
});

const any = { match: null, words: null };
const exact = (word: string) => ({ match: 'exact', words: [word] }) as const;
const prefix = (word: string) => ({ match: 'prefix', words: [word] }) as const;

test('a link is compared with its letter case, whole or by how it begins', () => {
  const hits = [any, exact('Ref_1'), exact('ref_1'), exact('Ref'), prefix('Ref'), prefix('ref')];
  expect(hits.map((trigger) => matchesStartLink('Ref_1', trigger))).toEqual([true, true, false, false, true, false]);
});

test('a link covers another exactly when it gets all that the other is for', () => {
  const links = [any, prefix('a'), prefix('ab'), exact('a'), exact('ab'), exact('b')];
  const covered = links.map((wide) => links.map((narrow) => (coversStartLink(wide, narrow) ? 1 : 0)).join(''));
  expect(covered).toEqual(['111111', '011110', '001010', '000100', '000010', '000001']);
});
