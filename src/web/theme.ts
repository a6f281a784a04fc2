import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { commonWords } from './words/common.ts';

/** A teal whose filled button has 5:1 contrast with white, and whose light shades carry text in dark mode. */
const brand: MantineColorsTuple = [
  '#e3f6f9',
  '#c8e9ee',
  '#9ad5de',
  '#67bfcd',
  '#3fabbc',
  '#259cb0',
  '#1290a6',
  '#0b7285',
  '#075f70',
  '#034d5b',
];

/** What flows do, as the brand is what people do. */
const iris: MantineColorsTuple = [
  '#f1efff',
  '#e2defe',
  '#c5bdfa',
  '#a699f5',
  '#8b7bf0',
  '#7866ec',
  '#6b57e6',
  '#5b46d0',
  '#4f3cb8',
  '#4331a0',
];

/** Greys with a touch of the brand, for the dark scheme. */
const dark: MantineColorsTuple = [
  '#dfe6ea',
  '#c2ccd4',
  '#9fadb7',
  '#71808b',
  '#33424c',
  '#26323a',
  '#1b252c',
  '#161e24',
  '#0e1419',
  '#0b1014',
];

/** What closes something, for who does not see its cross. It is asked when it is shown: by then there are words. */
const closing = () => ({ closeButtonProps: { 'aria-label': commonWords.close } });

/** Colours and defaults of all pages. Texts reach the contrast of WCAG 2.2 AA in both schemes. */
export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 8 },
  colors: { brand, iris, dark },
  black: '#15222b',
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Letters that Inter does not have come from the system's own.
  fontFamily: 'Inter, "Inter Fallback", "Inter Fallback DejaVu", system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { md: '0.9375rem' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.25' },
      h2: { fontSize: '1.5rem', lineHeight: '1.3' },
      h3: { fontSize: '1.25rem', lineHeight: '1.35' },
      h4: { fontSize: '1rem', lineHeight: '1.5' },
    },
  },
  components: {
    Anchor: { defaultProps: { underline: 'hover' } },
    Tooltip: { defaultProps: { events: { hover: true, focus: true, touch: true }, withArrow: true } },
    Modal: { defaultProps: closing },
    Drawer: { defaultProps: closing },
    Notification: {
      defaultProps: () => ({ closeButtonProps: { 'aria-label': commonWords.hideNotice } }),
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    },
    // Its title in its own colour would have half of the contrast that it needs, and lines of code in it would widen it.
    Alert: {
      defaultProps: () => ({ closeButtonLabel: commonWords.close }),
      styles: { label: { color: 'var(--mantine-color-text)' }, body: { minWidth: 0 } },
    },
  },
});
