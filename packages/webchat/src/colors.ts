/** Red, green and blue of `#rrggbb`. */
const partsOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

const weights = [0.2126, 0.7152, 0.0722];

const luminance = (color: string): number =>
  partsOf(color).reduce((sum, part, place) => {
    const share = part / 255;
    return sum + (weights[place] ?? 0) * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
  }, 0);

/** The contrast of two colours as WCAG counts it: 1 to 21. */
export const contrastOf = (one: string, other: string): number => {
  const both = [luminance(one), luminance(other)];
  return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
};

/** What WCAG AA asks of text. */
const readable = 4.5;

/** The first of white, a soft black and black that can be read on this colour. */
export const inkOn = (color: string): string =>
  ['#ffffff', '#14161a'].find((ink) => contrastOf(color, ink) >= readable) ?? '#000000';

/** The colour itself, or as little lighter or darker as makes it readable on this ground. */
export const legibleOn = (color: string, ground: string): string => {
  const target = luminance(ground) > 0.18 ? 0 : 255;
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = partsOf(color).map((part) => Math.round(part + (target - part) * share));
    const shown = `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
    if (contrastOf(shown, ground) >= readable) return shown;
  }
  return target === 0 ? '#000000' : '#ffffff';
};
