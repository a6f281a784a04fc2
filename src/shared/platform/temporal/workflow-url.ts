import { loadClientConnectConfig } from '@temporalio/envconfig';

/** The url of a workflow in Temporal's UI. Undefined without a workflow, or when no UI is known. */
export type WorkflowUrl = (workflowId: string | undefined) => string | undefined;

/** Creates links into the UI at `uiUrl`, for the namespace of the embedded server, or else of the usual variables. */
export const createWorkflowUrl = ({
  uiUrl,
  embedded,
}: {
  uiUrl: string | undefined;
  embedded: boolean;
}): WorkflowUrl => {
  if (uiUrl === undefined) return () => undefined;
  const namespace = embedded ? 'default' : (loadClientConnectConfig().namespace ?? 'default');
  const workflows = `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows/`;
  return (workflowId) => workflowId && workflows + encodeURIComponent(workflowId);
};
