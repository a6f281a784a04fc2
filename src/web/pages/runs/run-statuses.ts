import type { Schemas } from '../../api/client.ts';

/** The statuses that a run can have, as filters offer them. */
export const runStatuses = [
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled',
] as const satisfies readonly Schemas['Run']['status'][];
