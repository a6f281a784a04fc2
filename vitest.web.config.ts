import { defineConfig } from 'vitest/config';

/** `npm run test:web`: the dashboard in a real browser. */
export default defineConfig({
  test: {
    include: ['test/web/**/*.test.ts'],
    pool: 'forks',
    // A worker loads the code once for all of its files, as those of `npm test` do.
    isolate: false,
    maxWorkers: 3,
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/end-with-runner.ts'],
    // Ends what hangs, and is no limit of anything: what must not take long is measured.
    testTimeout: 120_000,
    // It would give up after a second otherwise, which is the machine's and not the page's.
    expect: { poll: { timeout: 30_000 } },
    // What a page shows while it fades in, on a machine that does much else: as tests by the clock, they are tried up to three times.
    retry: 2,
    hookTimeout: 120_000,
  },
});
