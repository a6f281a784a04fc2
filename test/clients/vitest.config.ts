import { defineConfig } from 'vitest/config';

/** `npm run test:clients`: generators of clients in other languages, which need pip and Go, make clients of the API document. */
export default defineConfig({
  test: {
    include: ['test/clients/*.test.ts'],
    pool: 'forks',
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/end-with-runner.ts'],
    // Packages are downloaded, and compiled in Go.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
