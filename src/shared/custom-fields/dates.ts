/** Whether a text is a day of the calendar, `2026-03-29`. */
export const isDate = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const midnight = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
};

const strictForm = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;
const lenientForm = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * The instant of an ISO 8601 text, or undefined. Strict: date, time and zone. Otherwise a missing zone is UTC, a missing time midnight,
 * and a blank may stand for the T.
 */
export const readDateTime = (text: string, { strict = false } = {}): Date | undefined => {
  const [whole, date = '', time = '00:00', zone = 'Z'] =
    (strict ? strictForm.exec(text) : lenientForm.exec(text.trim())) ?? [];
  if (whole === undefined || !isDate(date)) return undefined;
  const iso = strict ? whole : `${date}T${time}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2').toUpperCase()}`;
  const instant = new Date(iso);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
};
