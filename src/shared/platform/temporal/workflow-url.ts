import { loadClientConnectConfig } from '@temporalio/envconfig';

/** The url of a workflow in Temporal's UI. Undefined without a workflow, or when no UI is known. */
export type WorkflowUrl = (workflowId: string | undefined) => string | undefined;

type Ui = { uiUrl: string | undefined; embedded: boolean };

/** The url of the list of workflows in the UI at `uiUrl`; undefined when no UI is known. */
export const workflowsUrlOf = ({ uiUrl, embedded }: Ui): string | undefined => {
  const namespace = embedded ? 'default' : (loadClientConnectConfig().namespace ?? 'default');
  return uiUrl && `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows`;
};

/** Creates links into the UI at `uiUrl`, for the namespace of the embedded server, or else of the usual variables. */
export const createWorkflowUrl = (ui: Ui): WorkflowUrl => {
  const workflows = workflowsUrlOf(ui);
  if (workflows === undefined) return () => undefined;
  return (workflowId) => workflowId && `${workflows}/${encodeURIComponent(workflowId)}`;
};
