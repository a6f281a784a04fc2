import { workflowIdOf } from '../platform/temporal/workflow-id.ts';

/** A round of a delivery, whose UUID `id` is, and how many workflows of it were lost. */
type Round = { id: string; round: number; resumes: number };

/** The id of the workflow that carries a delivery's round: `delivery/<id>`, later rounds `delivery/<id>/round/<n>`. */
export const deliveryWorkflowId = ({ round, ...row }: Round): string =>
  workflowIdOf('delivery', row, round > 1 ? `/round/${round}` : '');

/**
 * The same, and undefined when there is none, since the delivery was parked as it was made, or its first attempt finished it while there was no
 * room for a workflow. For a moment after that attempt, and while Temporal is away, the workflow is still to come.
 */
export const workflowOf = (row: Round & { bornParked: boolean; withoutWorkflow: boolean }): string | undefined =>
  row.withoutWorkflow || (row.round === 1 && row.bornParked) ? undefined : deliveryWorkflowId(row);
