/** An amount in minor units of its currency, as the user's language writes it: 4990 is 49.90 EUR. */
export const sayMoney = (minorUnits: number, currency: string): string => {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(minorUnits / 10 ** digits);
};
