import { workflowIdOf } from '../platform/temporal/workflow-id.ts';
import type { DeliveryRow } from './schema.ts';

/** The id of the workflow that carries a delivery's round: `delivery/<id>`, later rounds `delivery/<id>/round/<n>`. */
export const deliveryWorkflowId = ({ round, ...row }: Pick<DeliveryRow, 'id' | 'round' | 'resumes'>): string =>
  workflowIdOf('delivery', row, round > 1 ? `/round/${round}` : '');

/**
 * The same, and undefined when there never was one, since the delivery was parked as it was made, or went straight from the outbox. For a
 * moment after a delivery was made, and while Temporal is away, its workflow is still to come.
 */
export const workflowOf = (
  row: Pick<DeliveryRow, 'id' | 'round' | 'resumes' | 'bornParked' | 'withoutWorkflow'>,
): string | undefined =>
  row.round === 1 && (row.bornParked || row.withoutWorkflow) ? undefined : deliveryWorkflowId(row);
