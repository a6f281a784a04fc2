import { workflowIdOf } from '../platform/temporal/workflow-id.ts';

/** `id` is the delivery's UUID; `resumes` is the number of lost workflows. */
type Round = { id: string; round: number; resumes: number };

/** The id of the workflow that carries a delivery's round: `delivery/<id>`, later rounds `delivery/<id>/round/<n>`. */
export const deliveryWorkflowId = ({ round, ...row }: Round): string =>
  workflowIdOf('delivery', row, round > 1 ? `/round/${round}` : '');

/** The same, and undefined when the round has no workflow and gets none. */
export const workflowOf = (row: Round & { bornParked: boolean; withoutWorkflow: boolean }): string | undefined =>
  row.withoutWorkflow || (row.round === 1 && row.bornParked) ? undefined : deliveryWorkflowId(row);
