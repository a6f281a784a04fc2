import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { RequestError } from '../../errors.ts';

/** How long a signal may take, in ms. A caller waits for it. */
const signalDeadlineMs = 4_000;

/**
 * Sends a signal to a workflow. False when no workflow of this id runs. Throws `unavailable` while Temporal is away, because it is not known
 * then.
 */
export const signalWorkflow = async (
  client: Client | undefined,
  workflowId: string,
  signal: string,
): Promise<boolean> => {
  if (!client) throw temporalAway();
  try {
    const handle = client.workflow.getHandle(workflowId);
    await client.withDeadline(Date.now() + signalDeadlineMs, () => handle.signal(signal));
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw temporalAway(error);
  }
};

/** Temporal did not answer, so that it is not known what became of what it was asked. */
export const temporalAway = (cause?: unknown): RequestError =>
  Object.assign(new RequestError('unavailable', 'Temporal does not respond. The delivery is unchanged. Try again.'), {
    cause,
  });
