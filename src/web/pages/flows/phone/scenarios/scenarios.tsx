import { ActionIcon, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { confirm } from '../../../../parts/confirm.tsx';
import { Failure } from '../../../../parts/failure.tsx';
import { showDone } from '../../../../parts/show-done.tsx';
import { Status, type Tone } from '../../../../parts/status.tsx';
import { Problems } from '../problems.tsx';
import type { PhoneState } from '../use-phone.ts';
import { Differences } from './differences.tsx';
import { RenameScenario } from './rename-scenario.tsx';
import { SaveScenario } from './save-scenario.tsx';
import type { Result, Scenario, Scenarios } from './use-scenarios.ts';
import { words } from './words.ts';

type Props = {
  phone: PhoneState;
  scenarios: Scenarios;
  /** Shows a scenario as a conversation. */
  openInChat: (scenario: Scenario) => void;
};

/** Conversations that are kept with what is expected of them: saved, run on the draft as it is, and compared. */
export const ScenariosPart = ({ phone, scenarios, openInChat }: Props) => {
  const [isSaving, setSaving] = useState(false);
  const { rows, error, retry, failure, run, isAnyRunning } = scenarios;
  const canSave = phone.isCurrent && phone.simulation !== undefined && phone.failure === undefined;
  return (
    <div className="phone-scroll" role="region" aria-label={words.title} tabIndex={0}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {words.hint}
        </Text>
        {isSaving && phone.simulation ? (
          <SaveScenario
            phone={phone}
            simulation={phone.simulation}
            scenarios={scenarios}
            close={() => setSaving(false)}
          />
        ) : (
          <Group gap="xs">
            <Button
              size="xs"
              data-disabled={!canSave}
              aria-disabled={!canSave}
              onClick={() => canSave && setSaving(true)}
            >
              {words.save}
            </Button>
            {rows && rows.length > 0 && (
              <Button size="xs" variant="default" loading={isAnyRunning} onClick={() => void run(rows)}>
                {words.runAll}
              </Button>
            )}
          </Group>
        )}
        <Summary scenarios={scenarios} />
        {failure ? <Problems failure={failure} retry={() => void run(rows ?? [])} /> : null}
        {error ? <Failure error={error} retry={retry} /> : null}
        {rows?.length === 0 && (
          <Text size="sm" c="dimmed">
            {words.empty}
          </Text>
        )}
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label={words.title}>
          {rows?.map((scenario) => (
            <OneScenario key={scenario.id} scenario={scenario} scenarios={scenarios} openInChat={openInChat} />
          ))}
        </Stack>
      </Stack>
    </div>
  );
};

const Summary = ({ scenarios: { rows = [], resultOf, isAnyRunning } }: { scenarios: Scenarios }) => {
  const results = rows.flatMap(({ id }) => resultOf(id) ?? []);
  const passed = results.filter((result) => result.passed === true).length;
  return (
    <Text size="sm" role="status" fw={500}>
      {isAnyRunning ? words.running : results.length > 0 && words.summary({ passed, of: results.length })}
    </Text>
  );
};

const tones = { passed: 'good', failed: 'bad', notCompared: 'waiting', notRun: 'off' } as const satisfies Record<
  string,
  Tone
>;

const stateOf = (result: Result | undefined): keyof typeof tones => {
  if (!result) return 'notRun';
  if (result.passed === null) return 'notCompared';
  return result.passed ? 'passed' : 'failed';
};

type OneProps = Pick<Props, 'scenarios' | 'openInChat'> & { scenario: Scenario };

const OneScenario = ({ scenario, scenarios, openInChat }: OneProps) => {
  const [isRenaming, setRenaming] = useState(false);
  const { id, name } = scenario;
  const result = scenarios.resultOf(id);
  const state = stateOf(result);
  const remove = (): void =>
    confirm({
      title: words.removeTitle(name),
      children: words.removeText,
      action: words.remove,
      isDangerous: true,
      onConfirm: async () => {
        await scenarios.remove(scenario);
        showDone({ message: words.removed(name) });
      },
    });
  return (
    <li className="phone-request" aria-label={name}>
      <Stack gap={6}>
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Status tone={tones[state]}>{words.states[state]}</Status>
        </Group>
        {result && <Differences differences={result.differences} of={name} />}
        <Group gap={6}>
          <Button
            size="compact-sm"
            variant="light"
            loading={scenarios.isRunning(id)}
            aria-label={words.runOne(name)}
            onClick={() => void scenarios.run([scenario])}
          >
            {words.run}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={words.openOne(name)}
            onClick={() => openInChat(scenario)}
          >
            {words.open}
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size={26} aria-label={words.actionsOf(name)}>
                <IconDots size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setRenaming(true)}>{words.rename}</Menu.Item>
              <Menu.Item onClick={remove}>{words.remove}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Stack>
      {isRenaming && <RenameScenario scenario={scenario} scenarios={scenarios} close={() => setRenaming(false)} />}
    </li>
  );
};
