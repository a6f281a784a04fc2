import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Stands for the nonce of an answer in the built index.html; `src/api/routes/pages.ts` puts one in its place. */
export const noncePlaceholder = '%NONCE%';

/** The API that `npx vite` passes requests on to while pages are being made. */
const api = process.env['PARLEY_URL'] ?? 'http://localhost:8080';

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
