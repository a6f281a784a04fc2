import { loadClientConnectConfig } from '@temporalio/envconfig';

/** Where Temporal's UI shows a workflow; undefined where there is none, or no UI is known. */
export type WorkflowUrl = (workflowId: string | undefined) => string | undefined;

/** Links into the UI at `uiUrl`: of an embedded server's namespace, else of the one that the usual variables name. */
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
