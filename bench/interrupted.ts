/** Rejects when the bench shall stop, so that whoever started servers stops them. */
const stopped = Promise.withResolvers<never>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stopped.reject(new Error(`stopped by ${signal}`)));
}
// A message that was refused fails the run at once, long before its answer is looked at; the servers must still be stopped.
process.on('unhandledRejection', stopped.reject);
stopped.promise.catch(() => {});

/** Does `work` and answers what it does, or rejects as soon as the bench shall stop. */
export const unlessInterrupted = <Result>(work: Promise<Result>): Promise<Result> =>
  Promise.race([work, stopped.promise]);
