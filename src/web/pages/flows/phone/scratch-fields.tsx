import { CloseButton, Group, Select, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../../../api/client.ts';
import {
  CustomFieldInput,
  isBlank,
  readTyped,
  typeValue,
  type TypedValue,
} from '../../../parts/custom-field-input.tsx';
import type { PhoneContact } from './session.ts';
import { useCustomFields } from '../../../parts/use-custom-fields.ts';
import { words } from './words.ts';

type Scratch = Exclude<PhoneContact, string>;

type Props = { contact: Scratch; onChange: (contact: Scratch) => void };

const profile = [
  ['first_name', words.setup.firstName],
  ['last_name', words.setup.lastName],
  ['email', words.setup.email],
  ['phone', words.setup.phone],
  ['language', words.setup.language],
  ['time_zone', words.setup.timeZone],
] as const;

/** The fields of a contact who does not exist. */
export const ScratchFields = ({ contact, onChange }: Props) => (
  <Stack gap="sm">
    <SimpleGrid cols={2} spacing="xs">
      {profile.map(([key, label]) => (
        <TextInput
          key={key}
          label={label}
          maxLength={255}
          value={contact[key] ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ ...contact, [key]: value === '' ? null : value })}
        />
      ))}
    </SimpleGrid>
    <TagsInput
      label={words.setup.tags}
      maxTags={100}
      value={contact.tags}
      onChange={(tags) => onChange({ ...contact, tags })}
    />
    <CustomFields contact={contact} onChange={onChange} />
  </Stack>
);

/** Those custom fields that have a value, and one more that may be given one. */
const CustomFields = ({ contact, onChange }: Props) => {
  const defined = useCustomFields() ?? [];
  const [shown, setShown] = useState<readonly string[]>(() => Object.keys(contact.custom_fields ?? {}));
  const [typed, setTyped] = useState<Readonly<Record<string, TypedValue>>>({});
  const values = contact.custom_fields ?? {};
  const without = (key: string) => Object.fromEntries(Object.entries(values).filter(([other]) => other !== key));
  const type = (field: Schemas['CustomField'], value: TypedValue): void => {
    setTyped((now) => ({ ...now, [field.key]: value }));
    const read = isBlank(value) ? undefined : readTyped(field, value);
    if (!read) onChange({ ...contact, custom_fields: without(field.key) });
    else if (read.ok) onChange({ ...contact, custom_fields: { ...values, [field.key]: read.value } });
  };
  const remove = (key: string): void => {
    setShown((now) => now.filter((other) => other !== key));
    onChange({ ...contact, custom_fields: without(key) });
  };
  return (
    <>
      {defined
        .filter(({ key }) => shown.includes(key))
        .map((field) => (
          <Group key={field.key} gap={4} align="flex-end" wrap="nowrap">
            <div style={{ flex: 1 }}>
              <CustomFieldInput
                field={field}
                label={field.name}
                value={typed[field.key] ?? typeValue(field, values[field.key])}
                onChange={(value) => type(field, value)}
              />
            </div>
            <CloseButton aria-label={words.setup.removeField(field.key)} onClick={() => remove(field.key)} />
          </Group>
        ))}
      <Select
        label={words.setup.field}
        placeholder={words.setup.addField}
        searchable
        value={null}
        data={defined.filter(({ key }) => !shown.includes(key)).map(({ key, name }) => ({ value: key, label: name }))}
        onChange={(key) => {
          if (key !== null) setShown((now) => [...now, key]);
        }}
      />
    </>
  );
};
