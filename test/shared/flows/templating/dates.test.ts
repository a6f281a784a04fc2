import { expect, test } from 'vitest';
import { formatDate } from '../../../../src/shared/flows/templating/dates.ts';
import { aScope } from '../../../helpers/scope.ts';

const show = (language: string, format: string): string | undefined =>
  formatDate('2026-03-29', format, { ...aScope({}), language });

/** Languages of which the platform counts months, years or both by another calendar, and the days and months of one day. */
const languages = [
  ['fa', '۲۹ مارس ۲۰۲۶'],
  ['fa-AF', '۲۹ مارچ ۲۰۲۶'],
  ['ps', '۲۹ مارچ ۲۰۲۶'],
  ['uz-AF', '۲۹ مارچ ۲۰۲۶'],
  ['th', '29 มีนาคม 2026'],
  ['th-u-ca-buddhist', '29 มีนาคม 2026'],
  ['fa-u-ca-persian', '۲۹ مارس ۲۰۲۶'],
  ['fa-u-nu-latn', '29 مارس 2026'],
  ['ar-EG', '٢٩ مارس ٢٠٢٦'],
  ['ckb', '٢٩ ئازار ٢٠٢٦'],
  ['de', '29 März 2026'],
  ['en', '29 March 2026'],
] as const;

test.for(languages)('a date in %s has the Gregorian month, and the digits of the language', ([language, shown]) => {
  expect(show(language, 'D MMMM YYYY')).toBe(shown);
});

test.for(['ar-SA', 'lrc', 'mzn', 'ja-u-ca-japanese', 'he-u-ca-hebrew', 'am-u-ca-ethiopic'])(
  'a date in %s has the month that it has in the Gregorian calendar',
  (language) => {
    const gregorian = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC', calendar: 'gregory' });
    expect(show(language, 'MMMM')).toBe(gregorian.format(new Date('2026-03-29')));
  },
);

test.for(['fa', 'ar-EG', 'ne'])(
  'a format of numbers alone has the digits 0 to 9 in %s, for other services',
  (language) => {
    expect(show(language, 'YYYY-MM-DD[T]HH:mm:ss')).toBe('2026-03-29T00:00:00');
  },
);
