import { describe, expect, test } from 'vitest';
import { isError } from '../../../../src/shared/flows/definition/issues.ts';
import { validateDefinition } from '../../../../src/shared/flows/definition/validate.ts';
import { aDefinition, aKnown } from '../../../helpers/definitions.ts';
import { aField, fieldMap } from '../../../helpers/block-context.ts';

const unreadable = 'must be a date, such as 2026-03-01, or a date and a time, such as 2026-03-01T10:00';
const noNumber = 'must be a number, of at most 15 digits on either side of its point';
const noTime = 'must be a time of the day, such as "09:30"';

/** A constant and why it is no date; undefined where it is one, or where only a run knows. */
const dates: readonly [constant: string, problem: string | undefined][] = [
  ['tomorrow', unreadable],
  ['10:00', unreadable],
  ['01.03.2026', unreadable],
  ['2026-3-1', unreadable],
  ['2026-02-30', 'has a day that no calendar has: 2026-02-30'],
  ['2026-03-01T25:00', 'has a time that no clock shows: 25:00'],
  ['2026-03-01T10:00 CET', 'ends in "CET": only Z or an offset such as +01:00 may follow the time'],
  ['2026-03-01', undefined],
  ['2026-03-01 10:00', undefined],
  ['2026-03-01T24:00', undefined],
  ['2026-03-01T10:00+0530', undefined],
  ['{{params.day}}', undefined],
  ['{{params.day}}T10:00', undefined],
  ['2026-03-{{params.day}}', undefined],
];

const known = aKnown({
  fields: fieldMap(aField('when', 'datetime'), aField('day', 'date'), aField('left', 'number'), aField('note', 'text')),
});

/** The errors of a definition with this block, but those of placeholders. */
const errorsOf = (block: object) =>
  validateDefinition(aDefinition([{ id: 'a', ...block }]), known).filter(
    (issue) => isError(issue) && issue.code !== 'may_be_empty',
  );

const issueOf = (place: { code: string; path: string }, message?: string) =>
  message === undefined ? [] : [expect.objectContaining({ ...place, block_id: 'a', message })];

const noDate = { code: 'invalid_date', path: 'blocks.0.until' };

test.for(dates)('a delay until %s can be published only if somebody can read it', ([until, message]) => {
  expect(errorsOf({ type: 'delay', until })).toEqual(issueOf(noDate, message));
});

const rule = (field: string, op: string, value: unknown) => ({
  type: 'condition',
  rules: [{ field, op, value }],
  next: { false: null },
});

const invalid = { code: 'invalid_value', path: 'blocks.0.rules.0.value' };

describe.for(['when', 'day', 'now', 'now.date', 'run.started_at'])('a rule about %s', (field) => {
  test.for(dates)('that compares it with %s can be published only if somebody can read that', ([value, message]) => {
    for (const op of ['is', 'is_not', 'gt', 'gte', 'lt', 'lte'])
      expect(errorsOf(rule(field, op, value))).toEqual(issueOf(invalid, message));
  });
});

test.for([
  ['day', 'gt', 20260301, 'must be a text, such as "2026-03-01"'],
  ['day', 'is', true, 'must be a text, such as "2026-03-01"'],
  ['left', 'gt', 'many', noNumber],
  ['left', 'is', '1,000', noNumber],
  ['left', 'lt', '1234567890123456', noNumber],
  ['left', 'lt', '7', undefined],
  ['left', 'is', ' ７ ', undefined],
  ['left', 'lt', -7.5, undefined],
  ['left', 'gt', '{{params.least}}', undefined],
  ['now.time', 'gte', '9 am', noTime],
  ['now.time', 'gte', '24:30', noTime],
  ['now.time', 'gte', '9:30', undefined],
  // Only a run knows what these are, or they compare texts.
  ['params.day', 'gt', 'tomorrow', undefined],
  ['note', 'is', 'tomorrow', undefined],
  ['now.weekday', 'is', 'monday', undefined],
] as const)('%s %s %j says what is wrong: %s', ([field, op, value, message]) => {
  expect(errorsOf(rule(field, op, value))).toEqual(issueOf(invalid, message));
});
