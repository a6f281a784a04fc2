import { Badge, Code, Group } from '@mantine/core';
import type { FieldType } from '../../shared/custom-fields/values.ts';
import { customFieldWords } from '../words/custom-fields.ts';
import { Time } from './time.tsx';

/** What a contact has in a custom field, as its type is read. */
export const CustomFieldValue = ({ type, value }: { type: FieldType; value: unknown }) => {
  if (typeof value === 'boolean') return value ? customFieldWords.yes : customFieldWords.no;
  if (type === 'datetime' && typeof value === 'string' && !Number.isNaN(Date.parse(value)))
    return <Time at={value} format="exact" />;
  if (type === 'list' && Array.isArray(value))
    return (
      <Group gap={4}>
        {value.map((item, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a list may have an item twice
          <Badge key={index} tt="none" variant="default">
            {String(item)}
          </Badge>
        ))}
      </Group>
    );
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return (
    <Code block mah={200} style={{ overflow: 'auto' }} tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </Code>
  );
};
