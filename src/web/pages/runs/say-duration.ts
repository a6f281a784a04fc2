import { timeUnits } from '../../parts/time-units.ts';

const inUnits = (unit: string, value: number): string =>
  new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(
    value,
  );

/** A duration in its largest unit: "2.5 hr", "40 ms". */
export const sayDuration = (ms: number): string => {
  const found = timeUnits.find(([, size]) => ms >= size);
  return found ? inUnits(found[0], ms / found[1]) : inUnits('millisecond', Math.round(ms));
};
