import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They start, kill and upgrade whole services, or a browser, or need other languages: npm run test:system, test:faults, test:neighbours, test:web, test:clients.
    exclude: [
      ...configDefaults.exclude,
      'test/**/*.system.test.ts',
      'test/faults/**',
      'test/neighbours/**',
      'test/clients/**',
      'test/web/!(api-keys.test.ts)',
    ],
    pool: 'forks',
    // A worker loads the code once for all of its files, which are a third of a run else. What a test changes of its process
    // (clock, environment, the like) it puts back.
    isolate: false,
    // Tests wait for timers and servers about as much as they compute: four files at a time also where there are two cores.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/end-with-runner.ts'],
    // Ends what hangs, and is no limit of anything: what must not take long is measured.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
