import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They kill servers for minutes: npm run test:faults.
    exclude: [...configDefaults.exclude, 'test/faults/**'],
    pool: 'forks',
    // Tests wait for timers and servers more than they compute: two files at a time also where there are two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/end-with-runner.ts'],
    testTimeout: 40_000,
    hookTimeout: 60_000,
  },
});
