/**
 * Options of a test whose guarantee is a time by the clock on the wall: tried again when it fails, for a machine may stand still while others use
 * its disk. What is too slow by its nature fails each time. Where something else can be counted (rows, bytes, CPU), count that.
 */
export const byTheClock = { retry: 2 };
