import { parseConfig } from '../../src/shared/platform/config.ts';

/** The mode that the suite runs in: WORKFLOW_PER_DELIVERY, and the product's default where that is not set. */
export const { workflowPerDelivery: suiteMode } = parseConfig({
  WORKFLOW_PER_DELIVERY: process.env.WORKFLOW_PER_DELIVERY,
});
