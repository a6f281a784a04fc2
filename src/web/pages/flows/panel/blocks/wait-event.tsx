import { Stack } from '@mantine/core';
import { ChoiceField } from '../controls/choice-field.tsx';
import { DurationField } from '../controls/duration-field.tsx';
import { RulesField } from '../controls/rules-field.tsx';
import { SwitchField } from '../controls/switch-field.tsx';
import { words as all } from './words.ts';

const words = all.waitEvent;

/** What is waited for. */
export const WaitEventForm = () => (
  <Stack gap="sm">
    <ChoiceField path="event" label={words.event} options={words.events} />
    <RulesField label={words.rules} isOptional />
    <SwitchField path="fresh" label={words.fresh} description={words.freshHint} byDefault={false} />
    <DurationField path="timeout" label={words.timeout} byDefault="P7D" />
  </Stack>
);
