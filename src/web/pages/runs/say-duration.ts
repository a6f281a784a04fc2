const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

const inUnits = (unit: string, value: number): string =>
  new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(
    value,
  );

/** A duration in its largest unit: "2.5 hr", "40 ms". */
export const sayDuration = (ms: number): string => {
  const found = units.find(([, size]) => ms >= size);
  return found ? inUnits(found[0], ms / found[1]) : inUnits('millisecond', Math.round(ms));
};
