import { Stack } from '@mantine/core';
import { isObject } from '../../../../shared/flows/raw-blocks.ts';
import { keyOf } from '../../../../shared/flows/blocks/json-leaves.ts';
import { getAt } from '../edits/at.ts';
import { textOf } from '../edits/blocks.ts';
import { ChoiceField } from '../panel/controls/choice-field.tsx';
import { FieldSelect } from '../panel/controls/field-select.tsx';
import { ListField } from '../panel/controls/list.tsx';
import { Misfit } from '../panel/controls/misfit.tsx';
import { useOpenBlock } from '../panel/open-block.ts';
import { useFields } from '../panel/use-fields.ts';
import { PlainField } from './plain-field.tsx';
import { words } from './words.ts';

/** What of an answer goes into fields of the contact. */
export const MappingPart = () => (
  <Stack gap="lg">
    <MappingList path="mapping" label={words.mapping} description={words.mappingHint} />
    <MappingList path="error_mapping" label={words.errorMapping} description={words.errorMappingHint} />
  </Stack>
);

const MappingList = (props: { path: string; label: string; description: string }) => (
  <ListField
    {...props}
    nameOf={words.mappingRow}
    add={{ create: () => ({ path: '', field: '' }), label: words.addMapping }}
    most={50}
    isOptional
  >
    {(path) => <MappingRow path={path} />}
  </ListField>
);

const MappingRow = ({ path }: { path: string }) => {
  const { block } = useOpenBlock();
  const fields = useFields();
  const row = getAt(block, path);
  if (!isObject(row)) return <Misfit path={path} label={words.mapping} />;
  const source = textOf(row, 'path');
  const type = fields?.get(textOf(row, 'field'))?.type;
  const readsTimes = type === 'date' || type === 'datetime' || row['read_as'] !== undefined;
  return (
    <>
      <PlainField path={`${path}.path`} label={words.path} placeholder="$.items[0].left" />
      <FieldSelect path={`${path}.field`} label={words.field} {...(source !== '' && { newKey: keyOf(source) })} />
      <ChoiceField path={`${path}.on_missing`} label={words.onMissing} options={words.onMissings} byDefault="keep" />
      {readsTimes && <ChoiceField path={`${path}.read_as`} label={words.readAs} options={words.readAss} isClearable />}
    </>
  );
};
