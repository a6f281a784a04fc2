import { Stack, Text } from '@mantine/core';
import { findBlock } from '../../../../../shared/flows/blocks/index.ts';
import { useBuilder } from '../../builder/builder-context.ts';
import { blocksOf, textOf } from '../../edits/blocks.ts';
import { DurationField } from '../controls/duration-field.tsx';
import { ReferenceField } from '../controls/reference-field.tsx';
import { SwitchField } from '../controls/switch-field.tsx';
import { TemplateField } from '../controls/template-field.tsx';
import { useOpenBlock } from '../open-block.ts';
import { words } from './words.ts';

/** The block to go on with. */
export const GotoForm = () => {
  const { definition } = useBuilder();
  const options = blocksOf(definition).flatMap((block) => {
    const [value, name] = [textOf(block, 'id'), textOf(block, 'name')];
    return value === '' ? [] : [{ value, label: name === '' ? value : `${name} (${value})` }];
  });
  const unique = options.filter(({ value }, index) => options.findIndex((other) => other.value === value) === index);
  return <ReferenceField path="block" label={words.goto.block} options={unique} noneFound={words.goto.noBlock} />;
};

/** Why an agent is needed, and how long is waited for one. */
export const HandoverForm = () => {
  const { block } = useOpenBlock();
  return (
    <Stack gap="sm">
      <TemplateField path="reason" label={words.handover.reason} lines={2} />
      <SwitchField path="wait" label={words.handover.wait} byDefault />
      {(block['wait'] !== false || block['timeout'] !== undefined) && (
        <DurationField path="timeout" label={words.handover.timeout} byDefault="P7D" />
      )}
    </Stack>
  );
};

/** What a block does that has no fields. */
export const PlainForm = () => {
  const { block } = useOpenBlock();
  return (
    <Text size="sm" c="dimmed">
      {findBlock(textOf(block, 'type'))?.summary} {words.noFields}
    </Text>
  );
};
