/** The name of the lock that the page which notifies holds, and of the channel on which it tells others the count. */
const name = 'parley-notify';

/**
 * Has one page of this browser call `lead`, which answers what ends it, and another one when that page goes. Over plain http, where browsers have no
 * locks, each page does. `sinceMs`: what is later, on the clock of the browser, nobody has led for. `hear` gets what the page that leads shares.
 * Answers what leaves.
 */
export const elect = (
  lead: (share: (count: number) => void, sinceMs: number) => () => void,
  hear: (count: number) => void,
): (() => void) => {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- browsers have no locks over plain http
  if (!navigator.locks || typeof BroadcastChannel === 'undefined') return lead(hear, performance.timeOrigin);
  const leaving = new AbortController();
  const channel = new BroadcastChannel(name);
  let last = 0;
  const share = (count: number): void => {
    last = count;
    hear(count);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
    channel.postMessage(count);
  };
  let leads = false;
  channel.addEventListener('message', ({ data }) => {
    if (typeof data === 'number') hear(data);
    // A page that has just come asks for the count.
    else if (leads) share(last);
  });
  const leadUntilLeft = async (sinceMs: number): Promise<true> => {
    leads = true;
    const end = lead(share, sinceMs);
    await new Promise((resolve) => leaving.signal.addEventListener('abort', resolve));
    end();
    return true;
  };
  const stand = async (): Promise<void> => {
    const isFree = (lock: Lock | null): lock is Lock => lock !== null && !leaving.signal.aborted;
    const led = await navigator.locks.request(name, { ifAvailable: true }, (lock) =>
      isFree(lock) ? leadUntilLeft(performance.timeOrigin) : false,
    );
    // Another page leads until this one is granted the lock.
    if (!led) await navigator.locks.request(name, { signal: leaving.signal }, () => leadUntilLeft(Date.now()));
  };
  stand().catch(() => {});
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  channel.postMessage('hello');
  return () => {
    leaving.abort();
    channel.close();
  };
};
