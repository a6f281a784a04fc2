import { Skeleton } from '@mantine/core';
import { Failure } from '../../../parts/failure.tsx';
import { Section } from '../../../parts/section.tsx';
import { words } from '../words.ts';
import { QuietHours } from './quiet-hours.tsx';
import { TryWays } from './try-ways.tsx';
import { useSettings } from './use-settings.ts';
import { WaysTable } from './ways-table.tsx';

/** How the user hears of conversations that wait for an agent. */
export const Notifications = () => {
  const { settings, error, refetch, change } = useSettings();
  return (
    <Section title={words.notifications} description={words.notificationsText}>
      {error ? <Failure error={error} retry={() => void refetch()} /> : null}
      {settings ? (
        <>
          <WaysTable settings={settings} change={change} />
          <QuietHours hours={settings.quiet_hours} change={(hours) => change({ quiet_hours: hours })} />
          <TryWays />
        </>
      ) : (
        <Skeleton height={220} />
      )}
    </Section>
  );
};
