import { Stack } from '@mantine/core';
import type { FieldType } from '../../../../../shared/custom-fields/values.ts';
import { ChoiceField } from '../controls/choice-field.tsx';
import { FieldSelect } from '../controls/field-select.tsx';
import { TagField } from '../controls/tag-field.tsx';
import { ValueField } from '../controls/value-field.tsx';
import { useOpenBlock } from '../open-block.ts';
import { useFields } from '../use-fields.ts';
import { words as all } from './words.ts';

const words = all.setField;

/** The type that an operation needs, which a field gets that is created for it. */
const typeOf: Readonly<Record<string, FieldType>> = { increment: 'number', append: 'list', remove: 'list' };

/** What is written to a field, by the field's type. */
export const SetFieldForm = () => {
  const { block } = useOpenBlock();
  const fields = useFields();
  const field = fields?.get(String(block['field']));
  const op = typeof block['op'] === 'string' ? block['op'] : 'set';
  return (
    <Stack gap="sm">
      <FieldSelect path="field" label={words.field} newType={typeOf[op] ?? 'text'} />
      <ChoiceField path="op" label={words.op} options={words.ops} byDefault="set" />
      <ValueField path="value" label={words.value} type={field?.type} choices={field?.options} />
    </Stack>
  );
};

/** The field that is emptied. */
export const ClearFieldForm = () => <FieldSelect path="field" label={words.field} />;

/** The tag that is added or removed. */
export const TagForm = () => <TagField path="tag" label={all.tag.tag} isTemplate />;
