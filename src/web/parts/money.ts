import { locale } from '../locale.ts';

/** An amount in minor units of its currency, as English writes it: 4990 is 49.90 EUR. */
export const sayMoney = (minorUnits: number, currency: string): string => {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(minorUnits / 10 ** digits);
};
