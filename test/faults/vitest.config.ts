import { defineConfig } from 'vitest/config';
import { workflowPerDelivery } from '../../src/shared/platform/config.ts';
import { longestFirst } from '../helpers/longest-first.ts';

/** The files that have something to show in a mode; which of their tests, `modes` in faults.ts says. */
const files = {
  every: [
    'runs',
    'process-kills',
    'servers',
    'receivers',
    'repeated-kills',
    'temporal-away',
    'outbox',
    'messages',
    'talks',
    'takeovers',
    'polled',
    'retries',
    'requests',
    'two-processes',
    'passes',
  ],
  'on-failure': ['process-kills', 'servers', 'repeated-kills', 'temporal-away'],
};

/** `npm run test:faults`: one file after the other, for each kills servers and needs the machine to itself. */
export default defineConfig({
  root: new URL('../../', import.meta.url).pathname,
  test: {
    fileParallelism: false,
    // Of a worker, which stops its installation.
    teardownTimeout: 60_000,
    sequence: { sequencer: longestFirst([/runs\.test/, /process-kills\.test/, /receivers\.test/, /servers\.test/]) },
    globalSetup: ['test/faults/global-setup.ts'],
    projects: workflowPerDelivery.map((mode) => ({
      test: {
        name: mode,
        env: { WORKFLOW_PER_DELIVERY: mode },
        include: files[mode].map((file) => `test/faults/${file}.test.ts`),
        pool: 'forks',
        // A worker installs Parley once for all of its files.
        isolate: false,
        setupFiles: ['test/end-with-runner.ts'],
        testTimeout: 600_000,
        hookTimeout: 300_000,
      },
    })),
  },
});
