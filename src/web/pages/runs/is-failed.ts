/** Reasons that are nobody's failure. */
const harmless: readonly string[] = ['cancelled', 'cancelled_by_operator', 'switched'];

/** Whether a step has a reason that is somebody's failure. */
export const isFailed = ({ reason }: { reason: string | null }): boolean =>
  reason !== null && !harmless.includes(reason);
