import { defineConfig } from 'vitest/config';
import { longestFirst } from './test/helpers/longest-first.ts';

/** `npm run test:system`: the tests that start, kill and upgrade whole services, three files at a time. */
export default defineConfig({
  test: {
    include: ['test/**/*.system.test.ts'],
    pool: 'forks',
    // A worker loads the code once for all of its files, as those of `npm test` do.
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: longestFirst([/rolling/, /test\/start\.system/, /start-embedded/, /recovery/]) },
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/end-with-runner.ts'],
    // Ends what hangs, and is no limit of anything: what must not take long is measured.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
