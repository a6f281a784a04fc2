/** Waits for `work` until `signal`, then throws its reason; what becomes of the work after that is nobody's. */
export const orAbort = async <Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> => {
  if (!signal) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};
