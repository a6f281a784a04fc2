/** The milliseconds of CPU that this thread spends on the work. Unlike the time on the clock, they do not grow with what else the machine does. */
export const cpuMsOf = (work: () => unknown): number => {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};
