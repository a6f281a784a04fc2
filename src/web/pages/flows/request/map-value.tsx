import { Button, Code, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  fieldKey,
  fieldTypes,
  profileFields,
  reservedKeys,
  type FieldType,
} from '../../../../shared/custom-fields/values.ts';
import { fieldTypeFor, keyOf } from '../../../../shared/flows/blocks/json-leaves.ts';
import type { Json } from '../../../../shared/platform/json/json.ts';
import { Failure } from '../../../parts/failure.tsx';
import { useFocusBack } from '../../../parts/use-focus-back.ts';
import { useSending } from '../../../parts/use-sending.ts';
import { commonWords } from '../../../words/common.ts';
import { words as fieldWords } from '../../custom-fields/words.ts';
import type { BlockFormProps } from '../panel/block-form.ts';
import { createField } from '../panel/controls/create.ts';
import type { Fields } from '../panel/template/names.ts';
import { mappingsOf, type MappingTable } from './read-request.ts';
import { showValue } from './show-value.ts';
import { words } from './words.ts';

type Props = Pick<BlockFormProps, 'block' | 'set'> & {
  path: string;
  value: Json;
  table: MappingTable;
  fields: Fields;
  close: () => void;
};

/** Stands for a field that is to be created. */
const isNew = '';

/** A key that no field has. */
const freeKey = (base: string, fields: Fields): string => {
  for (let count = 2, key = base; ; count += 1) {
    if (!fields.has(key)) return key;
    key = `${base}_${count}`;
  }
};

/** Asks into which field a value of an answer goes. One of its key and type is chosen, else a new one is proposed. */
export const MapValue = ({ block, set, path, value, table, fields, close }: Props) => {
  useFocusBack();
  const proposed = keyOf(path);
  const own = fieldTypeFor(value);
  // Of several items there is a list.
  const wanted = block['for_each'] === undefined ? own : own === 'json' || own === 'list' ? 'json' : 'list';
  const known = fields.get(proposed)?.type === wanted ? proposed : isNew;
  const [field, setField] = useState(known);
  const [key, setKey] = useState(() => freeKey(proposed, fields));
  const [type, setType] = useState<FieldType>(wanted);
  const [failure, setFailure] = useState<unknown>();
  const { isSending, send } = useSending(setFailure);
  const keyProblem =
    !fieldKey.test(key) || reservedKeys.has(key) ? fieldWords.keyHint : fields.has(key) ? words.taken : undefined;

  const submit = async (): Promise<void> => {
    setFailure(undefined);
    if (field === isNew && keyProblem !== undefined) return;
    if (field === isNew) await createField({ key, type });
    const rows = mappingsOf(block[table]) ?? [];
    set({ [table]: [...rows, { path, field: field === isNew ? key : field }] }, `${table} add`);
    close();
  };
  return (
    <Modal opened onClose={close} title={words.test.mapTitle}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send(submit);
        }}
      >
        <Stack gap="sm">
          <Code block className="request-summary">{`${path} = ${showValue(value)}`}</Code>
          <Select
            label={words.field}
            searchable
            allowDeselect={false}
            value={field}
            onChange={(chosen) => setField(chosen ?? field)}
            data={[
              { value: isNew, label: words.test.newField },
              {
                group: words.test.customFields,
                items: [...fields.values()].map((one) => ({
                  value: one.key,
                  label: `${one.key} (${fieldWords.types[one.type]})`,
                })),
              },
              { group: words.test.profile, items: profileFields.map((one) => ({ value: one, label: one })) },
            ]}
          />
          {field === isNew && (
            <>
              <TextInput
                label={fieldWords.key}
                value={key}
                error={keyProblem}
                autoComplete="off"
                onChange={({ currentTarget }) => setKey(currentTarget.value)}
              />
              <Select
                label={fieldWords.type}
                description={fieldWords.typeHint}
                data={fieldTypes.map((each) => ({ value: each, label: fieldWords.types[each] }))}
                allowDeselect={false}
                value={type}
                onChange={(chosen) => setType(fieldTypes.find((each) => each === chosen) ?? type)}
              />
            </>
          )}
          {failure ? <Failure error={failure} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {commonWords.cancel}
            </Button>
            <Button type="submit" loading={isSending} data-autofocus>
              {field === isNew ? words.test.createAndMap : words.test.map}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
