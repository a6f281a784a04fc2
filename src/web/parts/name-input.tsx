import { TextInput, type TextInputProps } from '@mantine/core';
import { commonWords } from '../words/common.ts';

/** What a thing is called: the first field of its form, in which typing begins. */
export const NameInput = ({ hint, ...input }: { hint: string } & Omit<TextInputProps, 'label' | 'description'>) => (
  <TextInput label={commonWords.name} description={hint} required data-autofocus {...input} />
);
