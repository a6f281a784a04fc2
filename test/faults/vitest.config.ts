import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { workflowPerDelivery } from '../../src/shared/platform/config.ts';

/** The files that have something to show in a mode; which of their tests, `modes` in faults.ts says. */
const files = {
  'unless-behind': ['process-kills', 'servers', 'receivers', 'repeated-kills', 'change-over'],
  'on-failure': ['runs', 'process-kills', 'servers', 'receivers', 'repeated-kills', 'change-over', 'outbox'],
  always: ['process-kills', 'servers', 'change-over'],
};

/** Minutes, where the others take one: begun last, they would run alone at the end where files run side by side. */
const long = [/runs\.test/, /process-kills\.test/, /change-over\.test/];

class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      const found = long.findIndex((name) => name.test(moduleId));
      return project.name === 'always' || found < 0 ? long.length : found;
    };
    return specifications.toSorted((one, other) => place(one) - place(other));
  }
}

/** `npm run test:faults`: one file after the other, for each kills servers and needs the machine to itself. */
export default defineConfig({
  root: new URL('../../', import.meta.url).pathname,
  test: {
    fileParallelism: false,
    // Of a worker, which stops its installation.
    teardownTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
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
