import type { Config } from '../shared/platform/config.ts';
import { findRunningTemporal } from '../shared/platform/embedded/temporal-run.ts';
import type { WorkflowUrl } from '../shared/platform/temporal/workflow-url.ts';

/** Links to workflows: into the UI of the running instance on the data folder, else into the one that TEMPORAL_UI_URL names. */
export const workflowUrlOf = async (
  config: Pick<Config, 'temporalAddress' | 'temporalUiUrl' | 'dataDir'>,
): Promise<WorkflowUrl> => {
  const embedded = config.temporalAddress === undefined;
  const uiUrl = embedded ? findRunningTemporal(config.dataDir)?.uiUrl : config.temporalUiUrl;
  // Reading the variables of Temporal's SDKs loads a part of them, which the other commands need not wait for.
  const { createWorkflowUrl } = await import('../shared/platform/temporal/workflow-url.ts');
  return createWorkflowUrl({ uiUrl, embedded });
};
