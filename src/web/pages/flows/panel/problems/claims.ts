/** The paths of a form's controls, which show their problems themselves. */
export type Claims = {
  /** Answers how it is taken back. `isWhole`: with all that is within the path. */
  add: (path: string, isWhole: boolean) => () => void;
  has: (path: string) => boolean;
  subscribe: (tell: () => void) => () => void;
  /** Another number after each change. */
  version: () => number;
};

export const createClaims = (): Claims => {
  const claims = new Set<{ path: string; isWhole: boolean }>();
  const listeners = new Set<() => void>();
  let version = 0;
  const tell = (): void => {
    version += 1;
    for (const listener of listeners) listener();
  };
  return {
    add: (path, isWhole) => {
      const claim = { path, isWhole };
      claims.add(claim);
      tell();
      return () => {
        claims.delete(claim);
        tell();
      };
    },
    has: (path) =>
      [...claims].some((claim) => claim.path === path || (claim.isWhole && path.startsWith(`${claim.path}.`))),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
  };
};
