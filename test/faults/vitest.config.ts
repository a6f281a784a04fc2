import { defineConfig } from 'vitest/config';

/** `npm run test:faults`: one file after the other, for each kills servers and needs the machine to itself. */
export default defineConfig({
  root: new URL('../../', import.meta.url).pathname,
  test: {
    include: ['test/faults/**/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    globalSetup: ['test/faults/global-setup.ts'],
    setupFiles: ['test/end-with-runner.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
