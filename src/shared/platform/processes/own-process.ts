import { randomUUID } from 'node:crypto';

/** The UUID of this process in its reports and in the rows that it sends. New at each start. */
export const ownProcessId: string = randomUUID();

/** The `sender` of an unsent row that no process has. */
export const nobody = '00000000-0000-0000-0000-000000000000';

/** The time without a report after which others take over, in seconds. */
export const goneAfterSeconds = 15;

/** When the latest report was sent, by the monotonic clock. No process takes over from one that has never reported. */
let reportedMs: number | undefined;

/** Notes the time before `report`, because others count from its arrival at the earliest. */
export const noteReport = async (report: () => Promise<void>): Promise<void> => {
  const askedMs = performance.now();
  await report();
  reportedMs = askedMs;
};

/** A process calls this when it stops reporting. */
export const forgetReports = (): void => {
  reportedMs = undefined;
};

/** Whether work of `ms` ends before others could take over. */
export const isOursFor = (ms: number): boolean =>
  reportedMs === undefined || performance.now() + ms < reportedMs + goneAfterSeconds * 1000;
