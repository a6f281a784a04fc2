import { Select } from '@mantine/core';
import { eventNames, type EventName } from '../../shared/facts/names.ts';
import { deliveryWords } from '../words/deliveries.ts';

type Props = {
  value: EventName | undefined;
  /** Gets null where the choice is taken away. */
  onChange: (name: string | null) => void;
};

/** Chooses one event by its name, or all. */
export const EventSelect = ({ value, onChange }: Props) => (
  <Select
    label={deliveryWords.event}
    placeholder={deliveryWords.allEvents}
    data={[...eventNames]}
    value={value ?? null}
    onChange={onChange}
    clearable
  />
);
