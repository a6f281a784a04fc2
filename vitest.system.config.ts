import { defineConfig } from 'vitest/config';

/** `npm run test:system`: the tests that start, kill and upgrade whole services, two files at a time. */
export default defineConfig({
  test: {
    include: ['test/**/*.system.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/end-with-runner.ts'],
    testTimeout: 40_000,
    hookTimeout: 60_000,
  },
});
