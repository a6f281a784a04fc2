import { expect, test } from 'vitest';
import { nameOfUser } from '../../src/web/parts/name-of-user.ts';

test.for([
  ['Ada King', 'ada.lovelace@example.com', 'Ada King'],
  [null, 'anna.berg@example.com', 'Anna Berg'],
  [null, 'anna_berg-lund+shop@example.com', 'Anna Berg Lund'],
  [null, 'łukasz@example.com', 'Łukasz'],
  [null, 'support2@example.com', 'support2@example.com'],
  [null, '0199ab@example.com', '0199ab@example.com'],
  [null, 'a.b.c.d@example.com', 'a.b.c.d@example.com'],
  [null, '<b>@example.com', '<b>@example.com'],
] as const)('a user named %s with the address %s is called %s', ([name, email, called]) => {
  expect(nameOfUser({ name, email })).toBe(called);
});
