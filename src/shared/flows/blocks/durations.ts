const form = /^P(?=.)(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;

const seconds = [7 * 86_400, 86_400, 3_600, 60, 1];

const longest = 365 * 86_400_000;

/** An ISO 8601 duration in ms; undefined for what is none, and for one that is not from one second to 365 days. */
export const durationMs = (iso: string): number | undefined => {
  const [, ...counts] = form.exec(iso) ?? [];
  const ms = counts.reduce((sum, count, index) => sum + Number(count || 0) * (seconds[index] ?? 0), 0) * 1_000;
  return ms >= 1_000 && ms <= longest ? ms : undefined;
};

/** The instant that lies a duration after another one. The schema of the definition has checked the duration. */
export const after = (start: Date, iso: string): Date => {
  const ms = durationMs(iso);
  if (ms === undefined) throw new RangeError('not a duration of a definition');
  return new Date(start.getTime() + ms);
};
