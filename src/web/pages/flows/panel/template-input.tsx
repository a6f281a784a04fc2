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
  /** Its path within the block, "messages.0.text": `open` leads there, and the problems of that path stand below it. */
  path?: string;
  /** Where the text stands, which decides what is proposed. */
  place?: 'text' | 'value' | 'json' | 'url' | 'header' | 'form';
};

/** A text with placeholders. */
export const TemplateInput = ({ label, description, placeholder, value, onChange, error, lines = 1, path }: Props) => (
  <Textarea
    {...{ label, description, placeholder, value, error }}
    data-field={path}
    autosize
    minRows={lines}
    maxRows={12}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
