import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { typeOfValue } from '../../../../shared/custom-fields/values.ts';
import type { Schemas } from '../../../api/client.ts';
import { CustomFieldValue } from '../../../parts/custom-field-value.tsx';
import { Failure } from '../../../parts/failure.tsx';
import { Section } from '../../../parts/section.tsx';
import { useList } from '../../../parts/use-list.ts';
import { EditField, type EditedField } from './edit-field.tsx';
import { words } from './words.ts';

/** What the account keeps of the contact in custom fields. */
export const CustomFields = ({ contact }: { contact: Schemas['Contact'] }) => {
  const { rows: defined, error, retry } = useList('/custom-fields', { limit: 200 });
  const [edited, setEdited] = useState<{ field?: EditedField }>();
  const values = Object.entries(contact.custom_fields).toSorted(([a], [b]) => a.localeCompare(b));
  // A field may have been deleted, and its values stay.
  const fieldOf = (key: string, value: unknown): EditedField =>
    defined?.find((field) => field.key === key) ?? { key, name: key, type: typeOfValue(value), options: null };
  return (
    <Section
      title={words.fields}
      actions={
        <Button size="xs" variant="default" disabled={!defined} onClick={() => setEdited({})}>
          {words.addField}
        </Button>
      }
    >
      {error ? <Failure error={error} retry={retry} /> : null}
      {values.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.noFields}
        </Text>
      )}
      <Stack component="dl" gap="xs" m={0}>
        {values.map(([key, value]) => {
          const field = fieldOf(key, value);
          return (
            <div key={key}>
              <Group component="dt" gap={4} wrap="nowrap">
                <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {field.name}
                </Text>
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  aria-label={words.editField(field.name)}
                  disabled={!defined}
                  onClick={() => setEdited({ field })}
                >
                  <IconPencil size={14} />
                </ActionIcon>
              </Group>
              <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
                <CustomFieldValue type={field.type} value={value} />
              </Text>
            </div>
          );
        })}
      </Stack>
      {edited && defined && (
        <EditField
          contact={contact}
          {...edited}
          others={defined.filter(({ key }) => !(key in contact.custom_fields))}
          close={() => setEdited(undefined)}
        />
      )}
    </Section>
  );
};
