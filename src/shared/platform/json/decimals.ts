/** A decimal that can be compared: its digits without zeros around them, none of zero, and the power of ten of the first one. */
type Decimal = { sign: -1 | 0 | 1; digits: string; power: number };

const form = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

const readDecimal = (text: string): Decimal => {
  const [, sign, whole = '', fraction = '', exponent = '0'] = form.exec(text) ?? [];
  const all = whole + fraction;
  let [start, end] = [0, all.length];
  while (all[start] === '0') start += 1;
  while (end > start && all[end - 1] === '0') end -= 1;
  if (start === end) return { sign: 0, digits: '', power: 0 };
  return {
    sign: sign === '-' ? -1 : 1,
    digits: all.slice(start, end),
    power: whole.length - start - 1 + Number(exponent),
  };
};

/** The order of two decimals, however many digits they have: negative, 0 or positive. */
export const compareDecimals = (one: string, other: string): number => {
  const [a, b] = [readDecimal(one), readDecimal(other)];
  if (a.sign !== b.sign) return a.sign - b.sign;
  if (a.power !== b.power) return a.sign * (a.power < b.power ? -1 : 1);
  return a.digits === b.digits ? 0 : a.sign * (a.digits < b.digits ? -1 : 1);
};

/** The most digits of a decimal that is stored, on either side of its point: about as many as the largest double has. */
const mostDigits = 400;

/** Whether a decimal, written out, has at most 400 digits before its point and 400 after it. */
export const isOfStorableSize = (text: string): boolean => {
  const { digits, power } = readDecimal(text);
  return power < mostDigits && digits.length - power - 1 <= mostDigits;
};

/** Whether a number of JSON is a double, and one that is written with the same digits, so that nothing of it is lost. */
export const isDouble = (text: string): boolean => {
  const written = String(Number(text));
  if (written === text) return true;
  // A whole number has one spelling, and a double beyond 21 digits another one: 1e+21.
  const isRespelled = /[.eE]/.test(text) && /\d$/.test(written);
  return isRespelled && (!written.includes('e') || /e/i.test(text)) && compareDecimals(written, text) === 0;
};

/** The least double that has all of its digits. */
const leastNormal = 2 ** -1022;

/**
 * The double that a number field holds for a decimal. The digits of a fraction end where those of a double do. Undefined for a whole number
 * that a double would change, and for one beyond all doubles.
 */
export const readNumber = (text: string): number | undefined => {
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  const size = Math.abs(number);
  const isRounded = size >= leastNormal && size <= Number.MAX_SAFE_INTEGER;
  return isRounded || compareDecimals(String(number), text) === 0 ? number : undefined;
};

/** The sum of two finite doubles as decimals: 0.1 and 0.2 are 0.3. Undefined as for `readNumber`. */
export const addDecimals = (one: number, other: number): number | undefined => {
  const [a, b] = [partsOf(one), partsOf(other)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (part: typeof a): bigint => part.coefficient * 10n ** BigInt(part.exponent - exponent);
  return readNumber(`${scaled(a) + scaled(b)}e${exponent}`);
};

const partsOf = (number: number): { coefficient: bigint; exponent: number } => {
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] = form.exec(String(number)) ?? [];
  return { coefficient: BigInt(sign + whole + fraction), exponent: Number(exponent) - fraction.length };
};
