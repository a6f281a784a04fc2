import { Textarea } from '@mantine/core';

type Props = {
  label: string;
  description?: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  /** What is wrong with it. */
  error?: string | undefined;
  /** How many lines it has at first; one line takes no line breaks. */
  lines?: number;
  /** Where the text stands, which decides what is proposed. */
  place?: 'text' | 'value' | 'json' | 'url' | 'header' | 'form';
};

/** A text with placeholders. */
export const TemplateInput = ({ label, description, placeholder, value, onChange, error, lines = 1 }: Props) => (
  <Textarea
    {...{ label, description, placeholder, value, error }}
    autosize
    minRows={lines}
    maxRows={12}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
