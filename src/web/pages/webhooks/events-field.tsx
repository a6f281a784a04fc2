import { Checkbox, Code, Stack, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { eventNames, eventOf, eventsOfVariant, type EventName, type Variant } from '../../../shared/facts/names.ts';
import { words } from './words.ts';

/** What a webhook subscribes to: events by name, or `*` alone. */
export type EventChoice = EventName | '*';

/** The choices among the names that a webhook subscribes to. */
export const chosenOf = (names: readonly string[]): EventChoice[] =>
  names.includes('*') ? ['*'] : eventNames.filter((name) => names.includes(name));

type Props = {
  variant: Variant;
  value?: EventChoice[];
  onChange?: (value: EventChoice[]) => void;
  error?: ReactNode;
};

/** Chooses the events of a webhook: all of its variant, or some by name. */
export const EventsField = ({ variant, value = [], onChange, error }: Props) => {
  const names = eventsOfVariant(variant);
  const isAll = value.includes('*');
  return (
    <Stack gap="xs">
      <Switch
        label={words.allEvents}
        description={words.allEventsHint}
        checked={isAll}
        onChange={({ currentTarget }) => onChange?.(currentTarget.checked ? ['*'] : [])}
      />
      {!isAll && (
        <Checkbox.Group
          label={words.chosenEvents}
          value={value}
          onChange={(chosen) => onChange?.(names.filter((name) => chosen.includes(name)))}
          error={error}
        >
          <Stack gap={6} mt={6} mb={4}>
            {names.map((name) => (
              <Checkbox key={name} value={name} label={<Code>{name}</Code>} description={eventOf(name).meaning} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </Stack>
  );
};
