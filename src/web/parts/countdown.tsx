import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** How long it still is until a time, second by second. `at` is ISO 8601. */
export const Countdown = ({ at }: { at: string }) => {
  const { t } = useTranslation('shell');
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(clock);
  }, []);
  const seconds = Math.ceil((new Date(at).getTime() - nowMs) / 1_000);
  if (seconds <= 0) return t('anyMoment');
  const minutes = Math.floor(seconds / 60);
  return (
    <span role="timer" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {minutes}:{String(seconds % 60).padStart(2, '0')}
    </span>
  );
};
