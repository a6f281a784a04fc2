import { defineConfig } from 'vitest/config';
import { workflowPerDelivery } from '../../src/shared/platform/config.ts';

/** The files that have something to show in a mode; which of their tests, `modes` in faults.ts says. */
const files = {
  'unless-behind': ['process-kills', 'servers', 'receivers', 'repeated-kills', 'change-over'],
  'on-failure': ['runs', 'process-kills', 'servers', 'receivers', 'repeated-kills', 'change-over', 'outbox'],
  always: ['process-kills', 'servers', 'change-over'],
};

/** `npm run test:faults`: one file after the other, for each kills servers and needs the machine to itself. */
export default defineConfig({
  root: new URL('../../', import.meta.url).pathname,
  test: {
    fileParallelism: false,
    globalSetup: ['test/faults/global-setup.ts'],
    projects: workflowPerDelivery.map((mode) => ({
      test: {
        name: mode,
        env: { WORKFLOW_PER_DELIVERY: mode },
        include: files[mode].map((file) => `test/faults/${file}.test.ts`),
        pool: 'forks',
        setupFiles: ['test/end-with-runner.ts'],
        testTimeout: 600_000,
        hookTimeout: 300_000,
      },
    })),
  },
});
