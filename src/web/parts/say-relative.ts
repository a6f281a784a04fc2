import { locale } from '../locale.ts';
import { timeUnits } from './time-units.ts';

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

/** "3 minutes ago", "in 2 days": in the largest unit of which there is one, as it is rounded. */
export const sayRelative = (ms: number): string => {
  const [unit, unitMs] = timeUnits.find(([, sizeMs], place) => roundTo(ms, timeUnits[place + 1]?.[1]) >= sizeMs) ?? [
    'second',
    1_000,
  ];
  return relative.format(Math.round(ms / unitMs), unit);
};

/** How long it is, in ms, as the next smaller unit would tell it: 59.6 minutes are an hour. */
const roundTo = (ms: number, unitMs = 1): number => Math.round(Math.abs(ms) / unitMs) * unitMs;
