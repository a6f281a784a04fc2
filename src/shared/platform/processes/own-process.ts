import { randomUUID } from 'node:crypto';

/** The UUID under which this process reports itself, and which its work carries. New at each start. */
export const ownProcessId: string = randomUUID();

/** Others take over the work of a process that has not reported for so many seconds. */
export const goneAfterSeconds = 15;

/** When the latest report that arrived was sent, by the monotonic clock. A process that has never reported is judged by nobody. */
let reportedMs: number | undefined;

/** Sends a report by `report`, and notes when that was if it arrives. */
export const noteReport = async (report: () => Promise<void>): Promise<void> => {
  const askedMs = performance.now();
  await report();
  reportedMs = askedMs;
};

/** Forgets the reports of a process that reports no more. */
export const forgetReports = (): void => {
  reportedMs = undefined;
};

/** Whether what takes `ms` is over before others could take this process for gone. */
export const isOursFor = (ms: number): boolean =>
  reportedMs === undefined || performance.now() + ms < reportedMs + goneAfterSeconds * 1000;
