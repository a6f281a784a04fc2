import { Anchor, Button, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { z } from 'zod';
import type { FieldType, FieldValue } from '../../../../shared/custom-fields/values.ts';
import { client, type Schemas } from '../../../api/client.ts';
import { invalidate } from '../../../api/query-client.ts';
import {
  CustomFieldInput,
  isBlank,
  readTyped,
  typeValue,
  type TypedValue,
} from '../../../parts/custom-field-input.tsx';
import { showFailure } from '../../../parts/failure.tsx';
import { FormModal } from '../../../parts/form-modal.tsx';
import { useApiForm } from '../../../parts/use-api-form.ts';
import { commonWords } from '../../../words/common.ts';
import { words } from './words.ts';

/** A custom field as far as its value is edited. */
export type EditedField = { key: string; name: string; type: FieldType; options: string[] | null };

type Props = {
  contact: Schemas['Contact'];
  /** The field whose value is changed; one of `others` gets one when not given. */
  field?: EditedField;
  others: readonly EditedField[];
  close: () => void;
};

/** Changes or removes the contact's value of a field, or gives it one of a field that has none yet. */
export const EditField = ({ contact: { id, custom_fields: values }, field: known, others, close }: Props) => {
  const [chosen, setChosen] = useState<EditedField>();
  const field = known ?? chosen;
  const initial: { custom_fields: TypedValue } = { custom_fields: known ? typeValue(known, values[known.key]) : '' };

  const save = async (value: FieldValue | null): Promise<void> => {
    if (!field) return;
    const body = { custom_fields: { [field.key]: value } };
    await client.PATCH('/contacts/{id}', { params: { path: { id } }, body });
    await invalidate('/contacts', '/custom-fields');
    close();
  };
  const { form, ...state } = useApiForm<{ custom_fields: TypedValue }>({
    initialValues: initial,
    schema: z.custom<{ custom_fields: TypedValue }>().superRefine(({ custom_fields: typed }, ctx) => {
      const path = ['custom_fields'];
      if (!field) return;
      if (isBlank(typed) && field.type !== 'list') ctx.addIssue({ code: 'custom', path, message: words.noValue });
      else {
        const read = readTyped(field, typed);
        if (!read.ok) ctx.addIssue({ code: 'custom', path, message: words.mustBe(read.problem) });
      }
    }),
    onSubmit: async ({ custom_fields: typed }) => {
      const read = field && readTyped(field, typed);
      if (read?.ok) await save(read.value);
    },
  });
  const hasNone = !known && others.length === 0;
  return (
    <FormModal
      {...state}
      submit={hasNone ? close : state.submit}
      close={close}
      title={known ? words.editField(known.name) : words.addField}
      action={hasNone ? commonWords.close : commonWords.save}
    >
      {hasNone && (
        <Text size="sm">
          {Object.keys(values).length > 0 ? words.allHaveValues : words.noneDefined}{' '}
          <Anchor component={Link} to="/settings/custom-fields" inherit underline="always">
            {words.toFields}
          </Anchor>
        </Text>
      )}
      {!known && !hasNone && (
        <Select
          label={words.field}
          data={others.map(({ key, name }) => ({ value: key, label: name }))}
          value={chosen?.key ?? null}
          onChange={(key) => {
            const next = others.find((other) => other.key === key);
            setChosen(next);
            form.setFieldValue('custom_fields', next ? typeValue(next, undefined) : '');
          }}
          searchable
          required
        />
      )}
      {field && (
        <CustomFieldInput
          key={field.key}
          field={field}
          label={words.value}
          value={form.values.custom_fields}
          error={form.errors['custom_fields']}
          onChange={(typed) => form.setFieldValue('custom_fields', typed)}
        />
      )}
      {known && (
        <div>
          <Button size="xs" variant="subtle" color="red.8" onClick={() => void save(null).catch(showFailure)}>
            {words.removeValue}
          </Button>
        </div>
      )}
    </FormModal>
  );
};
