import { ActionIcon, Button, Checkbox, Group, Paper, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { weekdays, type Weekday } from '../../../../shared/flows/blocks/zones.ts';
import { windowsAtMost } from '../../../../shared/messages/channels/webchat/office-hours.ts';
import type { Schemas } from '../../../api/client.ts';
import { TimeZoneSelect } from '../../../parts/time-zone-select.tsx';
import { commonWords } from '../../../words/common.ts';
import { words as all } from '../words.ts';
import type { FieldsProps, Written as FormWritten } from './kind.ts';

const words = all.webchat.officeHours;

type Window = { days: readonly Weekday[]; from: string; to: string };

/** As the form holds them. */
type Written = { time_zone: string; windows: readonly Window[] };

type Changed = NonNullable<Schemas['ChannelChanges']['office_hours']> | null;

type Present = Extract<Schemas['Channel'], { type: 'webchat' }>['office_hours'];

/** What the form begins with; a window that names no days is one of every day. */
export const writeHours = (present: Present | undefined): Written | null =>
  present
    ? { ...present, windows: present.windows.map(({ days = weekdays, from, to }) => ({ days, from, to })) }
    : null;

/** The hours that somebody has written, as the API takes them. */
export const readHours = ({ office_hours: hours }: FormWritten): Changed =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part below alone writes it
  (hours ?? null) as Changed;

const firstWindow: Window = { days: weekdays.slice(0, 5), from: '09:00', to: '17:00' };

const firstHours = (): Written => ({
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  windows: [firstWindow],
});

/** The hours in which somebody is there to answer. */
export const WebchatHours = ({ form }: Pick<FieldsProps, 'form'>) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this part alone writes it
  const hours = form.values['office_hours'] as Written | null;
  const change = (changed: Written | null): void => form.setFieldValue('office_hours', changed);
  const errorOf = (path: string) => form.errors[`office_hours.${path}`];
  const changeWindows = (windows: readonly Window[]): void =>
    change(hours && windows.length > 0 ? { ...hours, windows } : null);
  return (
    <Stack gap="sm" component="section" aria-label={words.title}>
      <Switch
        label={words.title}
        description={words.hint}
        checked={hours !== null}
        onChange={({ currentTarget }) => change(currentTarget.checked ? firstHours() : null)}
      />
      {hours && (
        <>
          <TimeZoneSelect
            label={words.timeZone}
            set={hours.time_zone}
            value={hours.time_zone}
            error={errorOf('time_zone')}
            onChange={(zone) => zone !== null && change({ ...hours, time_zone: zone })}
          />
          {hours.windows.map((window, place) => (
            <WindowFields
              // oxlint-disable-next-line react/no-array-index-key -- windows have no other name
              key={place}
              {...window}
              errorOf={(field) => errorOf(`windows.${place}.${field}`)}
              change={(changed) => changeWindows(hours.windows.with(place, { ...window, ...changed }))}
              remove={() => changeWindows(hours.windows.toSpliced(place, 1))}
            />
          ))}
          {hours.windows.length < windowsAtMost && (
            <div>
              <Button
                variant="default"
                size="xs"
                leftSection={<IconPlus size={14} aria-hidden />}
                onClick={() => changeWindows([...hours.windows, { ...firstWindow, days: [] }])}
              >
                {words.add}
              </Button>
            </div>
          )}
        </>
      )}
    </Stack>
  );
};

type WindowProps = Window & {
  errorOf: (field: keyof Window) => ReactNode;
  change: (changed: Partial<Window>) => void;
  remove: () => void;
};

/** On which days, and from when to when. */
const WindowFields = ({ days, from, to, errorOf, change, remove }: WindowProps) => (
  <Paper withBorder p="sm" role="group" aria-label={words.oneOf}>
    <Stack gap="xs">
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <Checkbox.Group
          aria-label={words.days}
          value={[...days]}
          error={errorOf('days')}
          onChange={(chosen) => change({ days: weekdays.filter((day) => chosen.includes(day)) })}
        >
          <Group gap="xs" style={{ columnGap: 14 }}>
            {weekdays.map((day) => (
              <Checkbox key={day} size="xs" value={day} label={commonWords.dayNames[day]} />
            ))}
          </Group>
        </Checkbox.Group>
        <ActionIcon variant="subtle" color="gray" aria-label={words.remove} onClick={remove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <Group gap="xs" align="flex-start" grow maw={320}>
        <TextInput
          type="time"
          label={words.from}
          value={from}
          error={errorOf('from')}
          onChange={({ currentTarget }) => change({ from: currentTarget.value })}
        />
        <TextInput
          type="time"
          label={words.to}
          value={to}
          error={errorOf('to')}
          onChange={({ currentTarget }) => change({ to: currentTarget.value })}
        />
      </Group>
      {from !== '' && to !== '' && to <= from && (
        <Text size="xs" c="dimmed">
          {words.overnight}
        </Text>
      )}
    </Stack>
  </Paper>
);
