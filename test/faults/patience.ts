/**
 * How long the suite waits for what must come, in ms, before it takes it for lost. A machine may stand still for half a minute while others use
 * its disk: how fast something was is measured and said in the table, and no wait is a measure of it.
 */
export const patienceMs = 240_000;
