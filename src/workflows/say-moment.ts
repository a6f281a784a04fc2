/** A moment in UTC, to the second, as operators read it in Temporal's UI: "2026-11-22 14:05:00 UTC". */
export const sayMoment = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
