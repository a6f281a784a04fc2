import type { ConnectionLike } from '@temporalio/client';

/** The `NamespaceState` of Temporal's API in which workflows can be started. A deprecated namespace cannot return to it. */
const registered = 1;

/** Whether the namespace accepts workflows. Rejects when it does not exist, or Temporal is away. */
export const canStartWorkflows = async ({
  connection,
  namespace,
}: {
  connection: Pick<ConnectionLike, 'workflowService'>;
  namespace: string;
}): Promise<boolean> => {
  const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace });
  return Number(namespaceInfo?.state) === registered;
};
