import { deliveryWorkflowId } from '../platform/temporal/workflows.ts';
import type { DeliveryRow } from './queries.ts';

/**
 * The id of the workflow that carries a delivery's round, or did; undefined when none ever has, since it was parked as it was
 * made. For a moment after a delivery was made, and while Temporal is away, its workflow is still to come.
 */
export const workflowOf = ({
  id: deliveryId,
  round,
  resumes,
  bornParked,
}: Pick<DeliveryRow, 'id' | 'round' | 'resumes' | 'bornParked'>): string | undefined =>
  bornParked && round === 1 ? undefined : deliveryWorkflowId({ deliveryId, round, resumes });
