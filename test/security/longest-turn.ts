/** The time of this thread alone, in ms: what other programs of the machine take is not counted. */
const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** The longest that one turn of the event loop, which client and server share, takes until `work` is done, in ms. */
export const longestTurn = async <T>(work: Promise<T>): Promise<{ result: T; turnMs: number }> => {
  let [running, last, turnMs] = [true, threadMs(), 0];
  const turn = () => {
    const now = threadMs();
    [turnMs, last] = [Math.max(turnMs, now - last), now];
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  const result = await work;
  running = false;
  return { result, turnMs };
};
