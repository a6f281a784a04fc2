import { Stack } from '@mantine/core';
import { ChoiceField } from '../controls/choice-field.tsx';
import { RulesField } from '../controls/rules-field.tsx';
import { words as all } from './words.ts';

const words = all.condition;

/** What is compared. */
export const ConditionForm = () => (
  <Stack gap="sm">
    <ChoiceField path="match" label={words.match} options={words.matches} byDefault="all" />
    <RulesField label={words.rules} />
  </Stack>
);
