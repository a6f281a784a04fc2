/** The units of durations, the longest first. */
export const durationUnits = ['weeks', 'days', 'hours', 'minutes', 'seconds'] as const;

export type DurationUnit = (typeof durationUnits)[number];

const seconds: Readonly<Record<DurationUnit, number>> = {
  weeks: 604_800,
  days: 86_400,
  hours: 3_600,
  minutes: 60,
  seconds: 1,
};

const form = /^P(?=.)(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;

/** An ISO 8601 duration as one number of one unit: the longest that all of it is whole in. Undefined for what is no duration. */
export const readDuration = (iso: string): { amount: number; unit: DurationUnit } | undefined => {
  const [whole, ...counts] = form.exec(iso) ?? [];
  if (whole === undefined) return undefined;
  const written = durationUnits.filter((_, place) => counts[place] !== undefined);
  const total = durationUnits.reduce((sum, unit, place) => sum + Number(counts[place] ?? 0) * seconds[unit], 0);
  // One that is written in a single unit stays in it.
  const [only] = written.length === 1 ? written : [];
  const unit = only ?? durationUnits.find((longest) => total % seconds[longest] === 0) ?? 'seconds';
  return { amount: total / seconds[unit], unit };
};

/** The same as ISO 8601. */
export const writeDuration = ({ amount, unit }: { amount: number; unit: DurationUnit }): string => {
  const letter = unit.charAt(0).toUpperCase();
  return unit === 'weeks' || unit === 'days' ? `P${amount}${letter}` : `PT${amount}${letter}`;
};
