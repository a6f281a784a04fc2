import { expect, test } from 'vitest';
import { z } from 'zod';
import { sayIssue } from '../../../src/shared/platform/say-issue.ts';

test.each([
  [z.string(), undefined, 'is required'],
  [z.string(), 1, 'must be a string'],
  [z.strictObject({}), [], 'must be an object'],
  [z.array(z.string()), {}, 'must be a list'],
  [z.array(z.string()).min(1), [], 'must have at least 1 item'],
  [z.string().min(1), '', 'must have at least 1 character'],
  [z.string().max(2), 'abc', 'must have at most 2 characters'],
  [z.coerce.number().max(200), '201', 'must be at most 200'],
  [z.coerce.number(), 'ten', 'must be a number'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.email(), 'nobody', 'must be an e-mail address'],
  [z.enum(['free', 'pro']), 'gold', 'must be "free" or "pro"'],
  [z.literal('api'), 'sms', 'must be "api"'],
  [z.string({ error: 'must be mine' }), 1, 'must be mine'],
])('case %#: a value is said to be wrong in plain words', (schema, value, words) => {
  const { error } = schema.safeParse(value, { error: sayIssue });
  expect(error?.issues.map(({ message }) => message)).toEqual([words]);
});
