import { defineConfig } from 'vitest/config';

/** `npm run test:neighbours`: one adversary after the other, each in an installation of its own that has the machine to itself. */
export default defineConfig({
  root: new URL('../../', import.meta.url).pathname,
  test: {
    include: ['test/neighbours/*.test.ts'],
    pool: 'forks',
    globalSetup: ['test/neighbours/global-setup.ts'],
    setupFiles: ['test/end-with-runner.ts'],
    testTimeout: 300_000,
    // A machine may stand still for seconds: one round of three is enough.
    retry: 2,
  },
});
