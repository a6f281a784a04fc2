import { defineConfig } from 'vitest/config';
import { workflowPerDelivery } from './src/shared/platform/config.ts';
import config from './vitest.config.ts';

/** The default is what `npm test` runs. */
const others = workflowPerDelivery.filter((mode) => mode !== 'unless-behind');

/** `npm run test:modes`: the tests of deliveries that name no mode, in each mode but the default. */
export default defineConfig({
  test: {
    // Their servers' timers are what they wait for.
    maxWorkers: 4,
    globalSetup: config.test?.globalSetup ?? [],
    projects: others.map((mode) => ({
      test: {
        ...config.test,
        globalSetup: [],
        name: mode,
        env: { WORKFLOW_PER_DELIVERY: mode },
        include: [
          'test/api/{delivery-actions,test-event}.test.ts',
          'test/cli/delivery-requests.test.ts',
          'test/shared/platform/telemetry/tracing.test.ts',
          'test/workflows/{ladder,mail,re-enabling,requests}.test.ts',
        ],
      },
    })),
  },
});
