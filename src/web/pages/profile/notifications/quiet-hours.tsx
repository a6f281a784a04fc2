import { Group, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { TimeZoneSelect } from '../../../parts/time-zone-select.tsx';
import { words } from '../words.ts';
import type { Settings } from './use-settings.ts';

type Hours = NonNullable<Settings['quiet_hours']>;

const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const firstHours = (): Hours => ({ from: '22:00', to: '07:00', time_zone: ownTimeZone() });

type Props = { hours: Hours | null; change: (hours: Hours | null) => void };

/** From when to when the user hears of nothing. */
export const QuietHours = ({ hours, change }: Props) => (
  <>
    <Switch
      label={words.quietHours}
      description={words.quietHoursHint}
      checked={hours !== null}
      onChange={({ currentTarget }) => change(currentTarget.checked ? firstHours() : null)}
    />
    {hours && (
      <Group gap="sm" align="flex-start">
        <Clock
          label={words.quietFrom}
          value={hours.from}
          other={hours.to}
          change={(from) => change({ ...hours, from })}
        />
        <Clock label={words.quietTo} value={hours.to} other={hours.from} change={(to) => change({ ...hours, to })} />
        <TimeZoneSelect
          label={words.quietTimeZone}
          w={240}
          set={hours.time_zone}
          value={hours.time_zone}
          onChange={(zone) => zone !== null && change({ ...hours, time_zone: zone })}
        />
      </Group>
    )}
  </>
);

type ClockProps = { label: string; value: string; other: string; change: (value: string) => void };

/** A time of day. One that is not whole, or the same as the other, is not saved. */
const Clock = ({ label, value, other, change }: ClockProps) => {
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? value;
  return (
    <TextInput
      type="time"
      label={label}
      w={130}
      value={shown}
      error={shown === other ? words.quietSame : undefined}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={() => {
        if (shown !== '' && shown !== other && shown !== value) change(shown);
        if (shown !== other) setTyped(undefined);
      }}
    />
  );
};
