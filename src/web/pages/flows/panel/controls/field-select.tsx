import { Button, Group, Select, type ComboboxItem, type ComboboxParsedItem, type OptionsFilter } from '@mantine/core';
import { useState } from 'react';
import {
  fieldKey,
  fieldTypes,
  profileFields,
  reservedKeys,
  type FieldType,
} from '../../../../../shared/custom-fields/values.ts';
import { useSending } from '../../../../parts/use-sending.ts';
import { showFailure } from '../../../../parts/failure.tsx';
import { commonWords } from '../../../../words/common.ts';
import { FieldProblems } from '../problems/field-problems.tsx';
import { useFields } from '../use-fields.ts';
import { createField } from './create.ts';
import { mountedOpen } from './lazily.ts';
import { Misfit } from './misfit.tsx';
import { useAt, type ControlProps } from './use-at.ts';
import { words } from './words.ts';

type Props = ControlProps & {
  isClearable?: boolean;
  /** The type that a field gets that is created here, as long as nobody chooses another. */
  newType?: FieldType;
  /** The key of a field that can be created without typing one. */
  newKey?: string;
};

/** Begins the value of the choice that creates a field: no key has a blank. */
const creates = ' create ';

/** Chooses a field that flows may write, or creates one. */
export const FieldSelect = ({
  path,
  label,
  description,
  isClearable = false,
  newType = 'text',
  newKey = '',
}: Props) => {
  const { value, set, problems, problemsId, described } = useAt(path);
  const fields = useFields();
  const [typed, setTyped] = useState('');
  const [creating, setCreating] = useState<string>();
  if (value !== undefined && typeof value !== 'string') return <Misfit path={path} label={label} />;
  const custom = [...(fields?.values() ?? [])].map(({ key, name }) => ({
    value: key,
    label: name === key ? key : `${name} (${key})`,
  }));
  const profile = profileFields.map((key) => ({ value: key, label: key }));
  const isThere = (key: string): boolean => [...custom, ...profile].some((known) => known.value === key);
  if (value !== undefined && value !== '' && !isThere(value))
    custom.push({ value, label: fields === undefined ? value : words.unknown(value) });
  const wanted = typed.trim();
  const mayCreate = (key: string): boolean =>
    fieldKey.test(key) && !reservedKeys.has(key) && fields !== undefined && !fields.has(key);
  const creatable = [...new Set([wanted, newKey])].filter(mayCreate);
  return (
    <div data-field={path}>
      <Select
        label={label}
        description={description}
        data={[
          { group: words.fields, items: custom },
          { group: words.profile, items: profile },
          ...creatable.map((key) => ({ value: creates + key, label: words.createField(key) })),
        ]}
        filter={filterOptions}
        nothingFoundMessage={words.noField}
        value={value === undefined || value === '' ? null : value}
        onSearchChange={setTyped}
        onChange={(chosen) => {
          if (chosen?.startsWith(creates)) setCreating(chosen.slice(creates.length));
          else set(chosen ?? undefined);
        }}
        searchable
        comboboxProps={mountedOpen}
        clearable={isClearable}
        allowDeselect={isClearable}
        {...described}
      />
      {creating !== undefined && (
        <NewField
          fieldKey={creating}
          type={newType}
          close={() => setCreating(undefined)}
          onCreated={() => {
            set(creating);
            setCreating(undefined);
          }}
        />
      )}
      <FieldProblems id={problemsId} problems={problems} />
    </div>
  );
};

/** By label; what creates something always stands there. */
const filterOptions: OptionsFilter = ({ options, search }) => {
  const folded = search.trim().toLowerCase();
  const isMeant = ({ value, label }: ComboboxItem): boolean =>
    value.startsWith(creates) || label.toLowerCase().includes(folded);
  return options.flatMap((option): ComboboxParsedItem[] => {
    if (!('items' in option)) return isMeant(option) ? [option] : [];
    return [{ ...option, items: option.items.filter(isMeant) }];
  });
};

type NewProps = { fieldKey: string; type: FieldType; close: () => void; onCreated: () => void };

/** Asks for the type of a new field, which never changes. */
const NewField = ({ fieldKey: key, type: begun, close, onCreated }: NewProps) => {
  const [type, setType] = useState<FieldType>(begun);
  const { isSending, send } = useSending(showFailure);
  return (
    <div className="panel-item" role="group" aria-label={words.newField(key)} style={{ marginTop: 6 }}>
      <Select
        label={words.type}
        description={words.newField(key)}
        data={fieldTypes.map((each) => ({ value: each, label: words.types[each] }))}
        value={type}
        onChange={(chosen) => setType(fieldTypes.find((each) => each === chosen) ?? type)}
        allowDeselect={false}
        data-autofocus
      />
      <Group gap="xs">
        <Button
          size="xs"
          loading={isSending}
          onClick={() =>
            void send(async () => {
              await createField({ key, type });
              onCreated();
            })
          }
        >
          {words.create}
        </Button>
        <Button size="xs" variant="default" onClick={close}>
          {commonWords.cancel}
        </Button>
      </Group>
    </div>
  );
};
