import { lazy, Suspense, useEffect, useState } from 'react';

/** How long after its page, in ms, so that it delays nothing of what the user waits for. */
const afterMs = 4_000;

const Notifier = lazy(() =>
  import('./notifier.tsx').then(
    (loaded) => ({ default: loaded.Notifier }),
    // The network is away, or the page is older than the service: it notifies when it is loaded again.
    () => ({ default: () => null }),
  ),
);

/** The `Notifier`, loaded once the page is there. */
export const LaterNotifier = () => {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true), afterMs);
    return () => clearTimeout(timer);
  }, []);
  if (!isDue) return null;
  return (
    <Suspense fallback={null}>
      <Notifier />
    </Suspense>
  );
};
