import { Group, Stack, Table, Text, Title } from '@mantine/core';
import { blockKind } from '../../../parts/kinds/block-kinds.ts';
import { KindIcon } from '../../../parts/kinds/kind-icon.tsx';
import { sayRunReason } from '../../../parts/say-run-reason.ts';
import { isFailed } from '../../runs/is-failed.ts';
import { useBuilder } from '../builder/builder-context.ts';
import { findBlock, textOf } from '../edits/blocks.ts';
import { sayChange } from './changes-entry.tsx';
import { sayValue, titleOf } from './say.ts';
import { latestChanges, type Simulation } from './transcript.ts';
import type { PhoneState } from './use-phone.ts';
import { words } from './words.ts';

/** The most steps that are shown, the latest ones. */
const mostShown = 200;

/** What each step has done, and the values that there are now. */
export const Steps = ({ phone: { simulation, session } }: { phone: PhoneState }) => {
  if (!simulation) return <div className="phone-scroll">{words.playing}</div>;
  const { steps, changes } = simulation;
  return (
    <div className="phone-scroll" role="region" aria-label={words.parts.steps} tabIndex={0}>
      <Stack gap="md">
        <Values simulation={simulation} params={session.params} />
        <Title order={3} size="h6">
          {words.steps.list}
        </Title>
        {steps.length === 0 && (
          <Text size="sm" c="dimmed">
            {words.steps.empty}
          </Text>
        )}
        <ol className="phone-steps">
          {steps.slice(-mostShown).map((step, index, shown) => {
            const until = shown[index + 1]?.order ?? Infinity;
            const own = changes.filter(
              ({ order, block_id: id }) => order > step.order && order < until && id === step.block_id,
            );
            return <StepOf key={step.order} step={step} changes={own} />;
          })}
        </ol>
      </Stack>
    </div>
  );
};

type StepProps = { step: Simulation['steps'][number]; changes: Simulation['changes'] };

const StepOf = ({ step, changes }: StepProps) => {
  const { definition, open } = useBuilder();
  const { block_id: blockId, port, reason, left_at: leftAt } = step;
  const block = findBlock(definition, blockId);
  const { kind } = blockKind(block ? textOf(block, 'type') : '');
  return (
    <li data-is-here={leftAt === null}>
      <Group gap={8} wrap="nowrap">
        <KindIcon kind={kind} size={20} />
        <button type="button" className="phone-step" onClick={() => open(blockId)}>
          {titleOf(definition, blockId)}
        </button>
        <Text span size="xs" c="dimmed">
          {leftAt === null ? words.steps.here : port !== null && port !== 'default' && words.steps.took(port)}
        </Text>
      </Group>
      {reason !== null && (
        <Text size="xs" {...(isFailed(step) && { c: 'var(--mantine-color-error)' })}>
          {sayRunReason(reason)}
        </Text>
      )}
      {changes.map((change) => (
        <Text key={change.order} size="xs" style={{ overflowWrap: 'anywhere' }}>
          {sayChange(change)}
        </Text>
      ))}
    </li>
  );
};

/** Fields, tags, parameters and the latest answer as they are now. */
const Values = ({ simulation, params }: { simulation: Simulation; params: Readonly<Record<string, unknown>> }) => {
  const { fields, tags, changes } = simulation;
  const others = latestChanges(changes).filter(({ type, name }) => type !== 'tag' && !Object.hasOwn(fields, name));
  const rows = [
    ...Object.entries(fields).map(([name, value]) => [name, sayValue(value)] as const),
    ...others.map(({ name, value }) => [name, value === null ? words.changed.cleared : sayValue(value)] as const),
    ...tags.map((tag) => [words.steps.tag(tag), words.steps.has] as const),
    ...Object.entries(params).map(([name, value]) => [words.steps.param(name), sayValue(value)] as const),
  ];
  return (
    <Stack gap={4}>
      <Title order={3} size="h6">
        {words.steps.values}
      </Title>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {words.steps.none}
        </Text>
      ) : (
        <Table aria-label={words.steps.values}>
          <Table.Tbody>
            {rows.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th fw={500} style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
};
