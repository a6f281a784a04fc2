import type { ConnectionLike } from '@temporalio/client';

/** `NamespaceState` of Temporal's API: the only one in which workflows can be started. Of a deprecated one there is no way back. */
const registered = 1;

/** Whether the namespace takes workflows; rejects when it is not there, or Temporal is away. */
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
