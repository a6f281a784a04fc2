import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { isObject } from '../../../../../shared/flows/raw-blocks.ts';
import { useFlowNames } from '../../../../parts/use-flow-names.ts';
import { useBuilder } from '../../builder/builder-context.ts';
import { ChoiceField } from '../controls/choice-field.tsx';
import { Misfit } from '../controls/misfit.tsx';
import { ReferenceField } from '../controls/reference-field.tsx';
import { useAt } from '../controls/use-at.ts';
import { ValueField } from '../controls/value-field.tsx';
import { FieldProblems } from '../problems/field-problems.tsx';
import { words as all } from './words.ts';

const words = all.startFlow;

/** The most parameters of a flow. */
const mostParams = 50;

/** The flow that is started, and what it is given. */
export const StartFlowForm = () => {
  const { flowId } = useBuilder();
  const { flows } = useFlowNames();
  const options = flows.flatMap(({ id, name }) => (id === flowId ? [] : [{ value: id, label: name }]));
  return (
    <Stack gap="sm">
      <ReferenceField path="flow_id" label={words.flow} options={options} noneFound={words.noFlow} />
      <ChoiceField path="mode" label={words.mode} options={words.modes} byDefault="child" />
      <ParamsField />
    </Stack>
  );
};

const ParamsField = () => {
  const { value, set, problems, problemsId } = useAt('params', { isWhole: false });
  if (value !== undefined && !isObject(value)) return <Misfit path="params" label={words.params} />;
  const params = Object.entries(value ?? {});
  const put = (entries: readonly (readonly [string, unknown])[]): void =>
    set(entries.length === 0 ? undefined : Object.fromEntries(entries));
  /** A name that is there already would take its value. */
  const rename = (index: number, name: string): void => {
    if (params.some(([other], place) => other === name && place !== index)) return;
    put(params.map(([other, param], place) => [place === index ? name : other, param]));
  };
  const free = (): string => {
    let number = params.length + 1;
    while (params.some(([name]) => name === `value_${number}`)) number += 1;
    return `value_${number}`;
  };
  return (
    <fieldset className="panel-list" data-field="params">
      <legend>{words.params}</legend>
      <Text size="xs" c="dimmed">
        {words.paramsHint}
      </Text>
      {params.map(([name], index) => (
        // Its name is typed here, and its place stays.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="panel-item" role="group" aria-label={words.param(name)}>
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              label={words.name}
              value={name}
              maxLength={64}
              onChange={({ currentTarget }) => rename(index, currentTarget.value)}
              flex={1}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={words.remove(name)}
              onClick={() => put(params.filter((_, place) => place !== index))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
          <ParamValue name={name} />
        </div>
      ))}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={params.length >= mostParams}
        onClick={() => put([...params, [free(), '']])}
      >
        {words.add}
      </Button>
      <FieldProblems id={problemsId} problems={problems} />
    </fieldset>
  );
};

const ParamValue = ({ name }: { name: string }) => {
  // A name with a dot cannot be told from a path.
  if (name.includes('.') || name === '') return null;
  return <ValueField path={`params.${name}`} label={words.value} type={undefined} />;
};
