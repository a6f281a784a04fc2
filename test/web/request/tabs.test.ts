import { expect, test } from 'vitest';
import { requestSchema } from '../../../src/shared/flows/blocks/request-schema.ts';
import { tabOfField, tallyOf } from '../../../src/web/pages/flows/request/tabs.ts';

test('each field of an External Request has its control on a tab', () => {
  const fields = Object.keys(requestSchema.shape).filter((field) => !['id', 'name', 'type', 'next'].includes(field));
  expect(Object.keys(tabOfField).toSorted()).toEqual(fields.toSorted());
});

test('a tab counts its problems and its values', () => {
  const issue = { severity: 'error' as const, code: 'x', block_id: 'a', path: 'headers.X-A', message: 'x', hint: null };
  const block = {
    headers: { a: '1', b: '' },
    query: { c: 1 },
    mapping: [{}, 7],
    error_mapping: 'x',
    credential: 'shop',
  };
  const tally = tallyOf(block, [issue, { ...issue, severity: 'warning', path: 'mapping.0.path' }]);
  expect(tally.request).toEqual({ errors: 1, warnings: 0, values: 3 });
  expect(tally.auth).toEqual({ errors: 0, warnings: 0, values: 1 });
  const typed = tallyOf({ headers: { Authorization: 'Bearer sk' } }, []);
  expect(typed.auth).toEqual({ errors: 0, warnings: 1, values: 0 });
  expect(tally.mapping).toEqual({ errors: 0, warnings: 1, values: 2 });
});
