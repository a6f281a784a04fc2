/** The awaited work took too long. It may still end later. */
class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
  readonly code = 'ETIMEOUT';
}

/** Waits for `work` for `ms` at most, then throws `TooSlowError` and aborts its signal. A later outcome is ignored. */
export const withDeadline = <Result>(
  ms: number,
  what: string,
  work: (signal: AbortSignal) => PromiseLike<Result>,
): Promise<Result> => {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new TooSlowError(`${what} took longer than ${ms} ms`)), ms);
  return orAbort(work(deadline.signal), deadline.signal).finally(() => clearTimeout(timer));
};

/** Waits for `work` until `signal` aborts, then throws its reason. A later outcome is ignored. */
export const orAbort = async <Result>(work: PromiseLike<Result>, signal: AbortSignal | undefined): Promise<Result> => {
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
