import { Stack } from '@mantine/core';
import type { BlockFormProps } from '../panel/block-form.ts';
import { MappingTable } from './mapping-table.tsx';
import { useFields } from './use-fields.ts';
import { words } from './words.ts';

/** What of an answer goes into fields of the contact. */
export const MappingPart = ({ block, set, issues }: BlockFormProps) => {
  const fields = useFields();
  return (
    <Stack gap="lg">
      <MappingTable
        field="mapping"
        label={words.mapping}
        hint={words.mappingHint}
        value={block['mapping']}
        onChange={(mapping, at) => set({ mapping }, at)}
        issues={issues}
        fields={fields}
      />
      <MappingTable
        field="error_mapping"
        label={words.errorMapping}
        hint={words.errorMappingHint}
        value={block['error_mapping']}
        onChange={(errorMapping, at) => set({ error_mapping: errorMapping }, at)}
        issues={issues}
        fields={fields}
      />
    </Stack>
  );
};
