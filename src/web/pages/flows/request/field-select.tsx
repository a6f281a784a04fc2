import { ActionIcon, Group, Select, Tooltip } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { profileFields, type FieldType } from '../../../../shared/custom-fields/values.ts';
import { FieldForm } from '../../custom-fields/field-form.tsx';
import { words as fieldWords } from '../../custom-fields/words.ts';
import type { Fields } from './use-fields.ts';
import { words } from './words.ts';

type Props = {
  value: string;
  onChange: (key: string) => void;
  fields: Fields;
  error?: string | undefined;
  /** What a new field would be. */
  proposed?: { key: string; name: string; type: FieldType };
};

/** A field of contacts with its type. One that is not there yet can be created in place. */
export const FieldSelect = ({ value, onChange, fields, error, proposed }: Props) => {
  const [isCreating, setCreating] = useState(false);
  const isUnknown = value !== '' && fields.areKnown && fields.typeOf(value) === undefined;
  const key = isUnknown ? value : proposed?.key;
  return (
    <>
      <Group gap={6} wrap="nowrap" align="flex-start">
        <Select
          style={{ flex: 1, minWidth: 0 }}
          label={words.field}
          placeholder={words.fieldHint}
          searchable
          allowDeselect={false}
          value={value === '' ? null : value}
          error={error}
          data={[
            ...(value !== '' && fields.typeOf(value) === undefined
              ? [{ value, label: words.unknownField(value) }]
              : []),
            {
              group: words.custom,
              items: fields.custom.map(({ key: known, type }) => ({
                value: known,
                label: `${known} (${fieldWords.types[type]})`,
              })),
            },
            {
              group: words.profile,
              items: profileFields.map((known) => ({ value: known, label: `${known} (${fieldWords.types.text})` })),
            },
          ]}
          onChange={(chosen) => chosen !== null && onChange(chosen)}
        />
        <Tooltip label={words.createField}>
          <ActionIcon
            variant="default"
            size={36}
            mt={25}
            aria-label={words.createField}
            onClick={() => setCreating(true)}
          >
            <IconPlus size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
      {isCreating && (
        <FieldForm
          proposed={{ ...proposed, ...(key !== undefined && { key }) }}
          created={(field) => onChange(field.key)}
          close={() => setCreating(false)}
        />
      )}
    </>
  );
};
