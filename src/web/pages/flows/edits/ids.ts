/** The most characters of an id. */
const longest = 64;

/** An id that is not taken: the wanted one, or with the first number that is free. */
export const freshId = (wanted: string, taken: ReadonlySet<string>): string => {
  const base = wanted.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, longest) || 'block';
  if (!taken.has(base)) return base;
  const stem = base.replace(/_\d{1,4}$/, '').slice(0, longest - 5) || 'block';
  for (let number = 2; ; number += 1) if (!taken.has(`${stem}_${number}`)) return `${stem}_${number}`;
};
