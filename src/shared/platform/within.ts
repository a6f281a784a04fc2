/** What was waited for took too long; it may still come to its end later. */
class TooSlowError extends Error {
  constructor(what: string, timeoutMs: number) {
    super(`${what} took longer than ${timeoutMs} ms`);
    this.name = 'TooSlowError';
  }
}

/** Waits for `work` for `timeoutMs` at most, then throws `TooSlowError`; what becomes of the work after that is nobody's. */
export const within = async <Result>(timeoutMs: number, what: string, work: PromiseLike<Result>): Promise<Result> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new TooSlowError(what, timeoutMs)), timeoutMs);
  const settled = Promise.resolve(work);
  // Its own failure after the deadline would be an unhandled rejection.
  settled.catch(() => {});
  try {
    return await Promise.race([settled, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};
