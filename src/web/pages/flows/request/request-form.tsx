import { Select, Stack } from '@mantine/core';
import type { BlockFormProps } from '../panel/block-form.ts';
import { textOf } from '../edits/blocks.ts';
import { TemplateInput } from '../panel/template-input.tsx';
import { words } from './words.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** What an External Request sends, and makes of the answer. */
export const RequestForm = ({ block, set }: BlockFormProps) => (
  <Stack gap="sm">
    <Select
      label={words.method}
      data={methods}
      allowDeselect={false}
      value={textOf(block, 'method') || 'GET'}
      onChange={(method) => set({ method })}
    />
    <TemplateInput label={words.url} place="url" value={textOf(block, 'url')} onChange={(url) => set({ url })} />
  </Stack>
);
