/** Rejects when the bench is interrupted, so that the servers are stopped. */
const stopped = Promise.withResolvers<never>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stopped.reject(new Error(`stopped by ${signal}`)));
}
// A refused message fails the run at once, before its answer is awaited. The servers must still be stopped.
process.on('unhandledRejection', stopped.reject);
stopped.promise.catch(() => {});

/** The result of `work`. Rejects as soon as the bench is interrupted. */
export const unlessInterrupted = <Result>(work: Promise<Result>): Promise<Result> =>
  Promise.race([work, stopped.promise]);
