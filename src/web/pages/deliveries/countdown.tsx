import { useEffect, useState } from 'react';
import { words } from './words.ts';

/** In how long something begins, second by second, and that it may at any moment when it is due. `at` is ISO 8601. */
export const Countdown = ({ at }: { at: string }) => {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(clock);
  }, []);
  const seconds = Math.ceil((new Date(at).getTime() - nowMs) / 1_000);
  if (seconds <= 0) return <span>{words.anyMoment}</span>;
  const minutes = Math.floor(seconds / 60);
  return (
    <span>
      {words.in}{' '}
      <strong role="timer" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {minutes}:{String(seconds % 60).padStart(2, '0')}
      </strong>
    </span>
  );
};
