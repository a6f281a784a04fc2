import { timeUnits } from '../../parts/time-units.ts';
import { locale } from '../../locale.ts';

const inUnits = (unit: string, value: number): string => {
  const digits = { maximumFractionDigits: 1 };
  if (unit === 'second') return `${new Intl.NumberFormat(locale, digits).format(value)} s`;
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', ...digits }).format(value);
};

/** A duration in its largest unit: "2.5 hr", "1.4 s", "40 ms". */
export const sayDuration = (ms: number): string => {
  const found = timeUnits.find(([, size]) => ms >= size);
  return found ? inUnits(found[0], ms / found[1]) : inUnits('millisecond', Math.round(ms));
};
