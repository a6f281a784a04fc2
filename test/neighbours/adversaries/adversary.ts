import type { Caller, Installation } from '../installation.ts';

/** An account that asks as much of one thing as it can. */
export type Adversary = {
  title: string;
  how: string;
  /** Begins. What it answers ends it. */
  begin: (caller: Caller, installation: Installation) => Promise<() => Promise<void>>;
};

/** Does it again and again, so many at a time, until it is stopped or has done it `most` times. Whatever it is answered, it goes on. */
export const keepDoing = (
  atOnce: number,
  act: (count: number) => Promise<unknown>,
  most = Infinity,
): (() => Promise<void>) => {
  const stopping = new AbortController();
  let count = 0;
  const one = async (): Promise<void> => {
    while (!stopping.signal.aborted && count < most) await act((count += 1)).catch(() => undefined);
  };
  const all = Promise.all(Array.from({ length: atOnce }, one));
  return async () => {
    stopping.abort();
    await all;
  };
};
