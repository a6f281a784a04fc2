import { expect, test } from 'vitest';
import { hueOf, initialsOf } from '../../src/web/parts/initials.ts';

test.for([
  ['Ada Lovelace', 'AL'],
  ['Ada King Lovelace', 'AL'],
  ['ada', 'A'],
  ['ada.lovelace@example.com', 'AL'],
  ['info@example.com', 'I'],
  ['+49 151 1234', '41'],
  ['Łukasz Żak', 'ŁŻ'],
  ['李小龙', '李'],
  ['<script>', 'S'],
  ['…', ''],
] as const)('the initials of %s are %s', ([name, initials]) => {
  expect(initialsOf(name)).toBe(initials);
});

test('an id always has the same colour, and ids share all of them', () => {
  expect(hueOf('con_01')).toBe(hueOf('con_01'));
  const ids = Array.from({ length: 200 }, (_, number) => hueOf(`con_${number}`));
  expect(new Set(ids).size).toBe(8);
});
