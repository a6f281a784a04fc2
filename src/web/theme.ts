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

/** What closes something, for who does not see its cross. It is asked when it is shown: by then there are words. */
const closing = () => ({ closeButtonProps: { 'aria-label': commonWords.close } });

/** Colours and defaults of all pages. Texts reach the contrast of WCAG 2.2 AA in both schemes. */
export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 8 },
  colors: { brand },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  components: {
    Anchor: { defaultProps: { underline: 'hover' } },
    Tooltip: { defaultProps: { events: { hover: true, focus: true, touch: true }, withArrow: true } },
    Modal: { defaultProps: closing },
    Drawer: { defaultProps: closing },
    Notification: {
      defaultProps: closing,
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    },
    // Its title in its own colour would have half of the contrast that it needs, and lines of code in it would widen it.
    Alert: {
      defaultProps: () => ({ closeButtonLabel: commonWords.close }),
      styles: { label: { color: 'var(--mantine-color-text)' }, body: { minWidth: 0 } },
    },
  },
});
