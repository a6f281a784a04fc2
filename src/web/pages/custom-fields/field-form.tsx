import { Select, TagsInput, TextInput } from '@mantine/core';
import type { ChangeEvent } from 'react';
import { fieldChanges, newField } from '../../../shared/custom-fields/schema.ts';
import { fieldTypes, holdsTexts, type FieldType } from '../../../shared/custom-fields/values.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { checkedAs } from '../../parts/checked-as.ts';
import { CustomFieldInput, isBlank, readTyped, typeValue, type TypedValue } from '../../parts/custom-field-input.tsx';
import { FormModal } from '../../parts/form-modal.tsx';
import { NameInput } from '../../parts/name-input.tsx';
import { useApiForm } from '../../parts/use-api-form.ts';
import { commonWords } from '../../words/common.ts';
import { words } from './words.ts';

type Written = { key: string; name: string; type: FieldType; options: string[]; default: TypedValue };

type Field = Schemas['CustomField'];

/** The most that the API takes. */
const keyLength = 64;

type Props = {
  close: () => void;
  /** The field that is changed; a new one when not given. */
  field?: Field;
  /** What a new field begins with. */
  proposed?: Partial<Pick<Written, 'key' | 'name' | 'type'>>;
  /** Gets a new field. */
  created?: (field: Field) => void;
};

/** The field as far as its values depend on it. */
const typedOf = ({
  type,
  options,
}: Pick<Written, 'type' | 'options'>): { type: FieldType; options: string[] | null } => ({
  type,
  options: holdsTexts(type) && options.length > 0 ? options : null,
});

const readDefault = (written: Written) =>
  isBlank(written.default) ? undefined : readTyped(typedOf(written), written.default);

/** What remains of a default among these options. */
const withinOptions = (typed: TypedValue, options: readonly string[]): TypedValue => {
  if (options.length === 0) return typed;
  if (typeof typed !== 'string') return typed.filter((text) => options.includes(text));
  return options.includes(typed) ? typed : '';
};

/** What may change of a field. A default that nobody touches stays as it is, to the last digit. */
const readChanges = (written: Written, isTouched: boolean) => {
  const value = readDefault(written);
  return {
    name: written.name,
    options: typedOf(written).options,
    ...(isTouched && { default: value?.ok ? value.value : null }),
  };
};

const readField = (written: Written, isTouched: boolean) => ({
  key: written.key,
  type: written.type,
  ...readChanges(written, isTouched),
});

/** A key for a field of this name: "Shirt size" gives shirt_size. Empty where no letter of it may stand in a key. */
const proposeKey = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, keyLength)
    .replace(/_+$/, '');

/** A custom field: a new one, or what may change of one that is there. */
export const FieldForm = ({ close, field, proposed = {}, created }: Props) => {
  const initialValues: Written = {
    key: field?.key ?? proposed.key ?? '',
    name: field?.name ?? proposed.name ?? '',
    type: field?.type ?? proposed.type ?? 'text',
    options: field?.options ?? [],
    default: field
      ? typeValue(field, field.default)
      : typeValue({ type: proposed.type ?? 'text', options: null }, undefined),
  };
  const isTouched = (written: Written): boolean =>
    JSON.stringify(written.default) !== JSON.stringify(initialValues.default);
  const { form, ...sending } = useApiForm<Written>({
    initialValues,
    schema: checkedAs<Written>(field ? fieldChanges : newField, (written) =>
      field ? readChanges(written, isTouched(written)) : readField(written, isTouched(written)),
    ).superRefine((written, ctx) => {
      const value = isTouched(written) ? readDefault(written) : undefined;
      if (value?.ok === false) ctx.addIssue({ code: 'custom', path: ['default'], message: value.problem });
    }),
    onSubmit: async (written) => {
      if (field)
        await client.PATCH('/custom-fields/{id}', {
          params: { path: { id: field.id } },
          body: readChanges(written, isTouched(written)),
        });
      else {
        const { data } = await client.POST('/custom-fields', { body: readField(written, isTouched(written)) });
        if (data) created?.(data);
      }
      await invalidate('/custom-fields');
      close();
    },
  });
  const typed = typedOf(form.values);
  const changeName = ({ currentTarget: { value: name } }: ChangeEvent<HTMLInputElement>): void => {
    const { key, name: before } = form.values;
    // A key that somebody has written stays.
    form.setValues({ name, ...(!field && key === proposeKey(before) && { key: proposeKey(name) }) });
  };
  return (
    <FormModal
      {...sending}
      close={close}
      title={field ? words.editOf(field.name) : words.create}
      action={field ? commonWords.save : words.create}
    >
      <NameInput hint={words.nameHint} {...form.getInputProps('name')} onChange={changeName} />
      {!field && (
        <>
          <TextInput label={words.key} description={words.keyHint} required {...form.getInputProps('key')} />
          <Select
            label={words.type}
            description={words.typeHint}
            data={fieldTypes.map((value) => ({ value, label: words.types[value] }))}
            allowDeselect={false}
            {...form.getInputProps('type')}
            onChange={(chosen) => {
              const type = fieldTypes.find((known) => known === chosen) ?? 'text';
              form.setValues({ type, options: [], default: typeValue({ type, options: null }, undefined) });
            }}
          />
        </>
      )}
      {holdsTexts(typed.type) && (
        <TagsInput
          label={words.options}
          description={field ? words.optionsStay : words.optionsHint}
          splitChars={[]}
          {...form.getInputProps('options')}
          onChange={(options) => form.setValues({ options, default: withinOptions(form.values.default, options) })}
        />
      )}
      <CustomFieldInput
        key={`${typed.type} ${typed.options === null ? 'any' : 'options'}`}
        field={typed}
        label={words.default}
        description={words.defaultHint}
        value={form.values.default}
        error={form.errors['default']}
        onChange={(value) => form.setFieldValue('default', value)}
      />
    </FormModal>
  );
};
