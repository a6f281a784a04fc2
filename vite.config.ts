import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Stands for the nonce of an answer in the built index.html; `src/api/routes/pages.ts` puts one in its place. */
export const noncePlaceholder = '%NONCE%';

/** The API that `npx vite` passes requests on to while pages are being made. */
const api = process.env['PARLEY_URL'] ?? 'http://localhost:8080';

/** Components of Mantine, and what other files ask for notices and questions. */
const component = (...names: string[]): RegExp =>
  new RegExp(
    `@mantine/(core/esm/components/(${names.join('|')})/|notifications/esm/notifications.store|modals/esm/events)`,
  );

/**
 * Files of what many pages share, where a file for each small part would be seventy requests for the overview (test/web/weight.test.ts). Each of the
 * libraries imports only those above it: files that import each other in a circle may break.
 */
const layers = [
  { name: 'react', test: /node_modules\/(react|react-dom|react-router|scheduler)\/|vite\/preload-helper/ },
  { name: 'hooks', test: /@mantine\/hooks\/|@floating-ui\/|clsx|@mantine\/store\// },
  { name: 'icons', test: /@tabler\/icons-react\//, minShareCount: 2 },
  { name: 'mantine', test: /@mantine\/core\/esm\/(core|utils)\// },
  {
    name: 'shell',
    test: component(
      'ActionIcon',
      'Alert',
      'Anchor',
      'AppShell',
      'Box',
      'Burger',
      'Button',
      'Center',
      'Code',
      'Grid',
      'Group',
      'Input',
      'List',
      'Loader',
      'Menu',
      'NavLink',
      'Paper',
      'Popover',
      'ScrollArea',
      'SegmentedControl',
      'SimpleGrid',
      'Skeleton',
      'Stack',
      'Text',
      'ThemeIcon',
      'Title',
      'Tooltip',
      'UnstyledButton',
      'VisuallyHidden',
    ),
  },
  {
    name: 'small',
    test: /src\/shared\/(unreachable|platform\/json\/(decimals|exact-number|parse-or-nothing))\.ts|src\/web\/(locale|pages|live\/(stream-state|presence|talks|typing)|parts\/freshness|words\/(common|numbers|nav|failures)|api\/(contact-names|kept|session|session-end|failure)|parts\/(failure|avatar|initials|kinds\/hues|show-done|keep-rows|confirm|contact-link|facts|link-of-conversation|keep-focus|random-id|sparkline|status|time|time-units|to|use-filters|use-list|use-may-open|use-now|use-sending|say-[a-z]+|name-of-user)|shell\/(brand|leaving|nav-lines|session-context|words))\.tsx?$/,
    includeDependenciesRecursively: false,
  },
].map((layer, place, { length }) => ({ ...layer, priority: length - place }));

export default defineConfig({
  root: fileURLToPath(new URL('src/web', import.meta.url)),
  plugins: [react()],
  html: { cspNonce: noncePlaceholder },
  build: {
    target: 'es2023',
    // No data: urls, which the policy of the page would need to allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: layers } } },
    // What every page stands on is one file, of 150 kB compressed.
    chunkSizeWarningLimit: 700,
  },
  server: {
    // The API takes changes from its own pages only, and tells them by their Origin.
    proxy: {
      '/dashboard/api': { target: api, headers: { origin: new URL(api).origin } },
      '/schemas': api,
      '/docs': api,
    },
  },
});
