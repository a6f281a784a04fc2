/** Work for a thread: an exported function of a module. What it is given and what it answers are cloned. */
export type Task<Input, Output> = {
  /** The module's url. */
  module: string;
  name: string;
  /** It waits for its turn however many of its account do, because what it is part of has begun. */
  waitsAlways?: true;
  /** It waits behind its account's other tasks for at most `patienceMs`. It is busy at once where `most` wait there. */
  behind?: { most?: number; patienceMs: number };
  /** Never there: it only carries the types. */
  does?: (input: Input) => Output;
};
