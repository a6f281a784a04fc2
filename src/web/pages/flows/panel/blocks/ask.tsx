import { Stack } from '@mantine/core';
import type { FieldType } from '../../../../../shared/custom-fields/values.ts';
import { isObject } from '../../../../../shared/flows/raw-blocks.ts';
import { getAt } from '../../edits/at.ts';
import { ChoiceField } from '../controls/choice-field.tsx';
import { DurationField } from '../controls/duration-field.tsx';
import { FieldSelect } from '../controls/field-select.tsx';
import { ListField } from '../controls/list.tsx';
import { Misfit } from '../controls/misfit.tsx';
import { NumberField } from '../controls/number-field.tsx';
import { TemplateField } from '../controls/template-field.tsx';
import { useOpenBlock } from '../open-block.ts';
import { TemplateInput } from '../template-input.tsx';
import { words as all } from './words.ts';

const words = all.ask;

/** The type of a field that takes the answers of a kind. */
const typeOf: Readonly<Record<string, FieldType>> = { number: 'number', date: 'date' };

/** What the contact is asked, and what becomes of the answer. */
export const AskForm = () => {
  const { block } = useOpenBlock();
  const { expects, choices } = block;
  return (
    <Stack gap="sm">
      <TemplateField path="prompt" label={words.prompt} lines={3} />
      <ChoiceField path="expects" label={words.expects} options={words.kinds} byDefault="text" />
      {(expects === 'choice' || choices !== undefined) && (
        <ListField
          path="choices"
          label={words.choices}
          description={words.choicesHint}
          nameOf={words.choice}
          add={{ create: () => '', label: words.addChoice }}
          most={50}
          isOptional
        >
          {(path, index) => <Choice path={path} name={words.choice(index + 1)} />}
        </ListField>
      )}
      <FieldSelect path="save_to" label={words.saveTo} newType={typeOf[String(expects)] ?? 'text'} isClearable />
      <NumberField path="retries" label={words.retries} min={0} max={5} byDefault={2} />
      <TemplateField path="retry_text" label={words.retryText} description={words.retryTextHint} lines={2} isOptional />
      <DurationField path="timeout" label={words.timeout} byDefault="P7D" />
      <ChoiceField path="early" label={words.early} options={words.earlyKinds} byDefault="ignore" />
    </Stack>
  );
};

/** A choice is a text, or has a label and the value that is saved. */
const Choice = ({ path, name }: { path: string; name: string }) => {
  const { block, setAt } = useOpenBlock();
  const choice = getAt(block, path);
  const isText = typeof choice === 'string';
  if (!isText && !isObject(choice)) return <Misfit path={path} label={name} />;
  const label = isText ? choice : choice['label'];
  const value = isText ? undefined : choice['value'];
  return (
    <Stack gap="xs">
      {isText ? (
        <TemplateInput label={words.label} path={path} value={choice} onChange={(text) => setAt(path, text)} />
      ) : (
        <TemplateField path={`${path}.label`} label={words.label} />
      )}
      {value === undefined || typeof value === 'string' ? (
        <TemplateInput
          label={words.value}
          path={`${path}.value`}
          value={value ?? ''}
          onChange={(text) =>
            setAt(path, text === '' && typeof label === 'string' ? label : { ...asObject(choice), value: text })
          }
        />
      ) : (
        <Misfit path={`${path}.value`} label={words.value} />
      )}
    </Stack>
  );
};

const asObject = (choice: unknown): Readonly<Record<string, unknown>> =>
  isObject(choice) ? choice : { label: choice };
