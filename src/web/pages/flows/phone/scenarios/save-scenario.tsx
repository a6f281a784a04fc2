import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FormFields } from '../../../../parts/form.tsx';
import { NameInput } from '../../../../parts/name-input.tsx';
import { showDone } from '../../../../parts/show-done.tsx';
import { useApiForm } from '../../../../parts/use-api-form.ts';
import { commonWords } from '../../../../words/common.ts';
import { useBuilder } from '../../builder/builder-context.ts';
import { simulationOf } from '../session.ts';
import type { Simulation } from '../transcript.ts';
import type { PhoneState } from '../use-phone.ts';
import { expectTicked, listExpectable, type Expectable } from './expectations.ts';
import type { Scenarios } from './use-scenarios.ts';
import { sayExpected } from './say-expected.ts';
import { words } from './words.ts';

type Props = { phone: PhoneState; simulation: Simulation; scenarios: Scenarios; close: () => void };

/** Keeps the conversation as it was played, with what is ticked. One that was opened from a scenario can take its place. */
export const SaveScenario = ({ phone: { session, scenario }, simulation, scenarios, close }: Props) => {
  const { definition } = useBuilder();
  const expectable = listExpectable(simulation);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(
    () => new Set(expectable.filter(({ isUsual }) => isUsual).map(({ key }) => key)),
  );
  const { form, ...sending } = useApiForm({
    initialValues: { name: scenario?.name ?? '' },
    onSubmit: async ({ name }) => {
      const simulated = simulationOf(session, definition);
      const body = { name: name.trim(), simulation: simulated, expected: expectTicked(simulation, ticked) };
      const isSame = scenario !== undefined && scenario.name === body.name;
      await (isSame ? scenarios.replace(scenario, body) : scenarios.create(body));
      showDone({ message: words.saved(body.name) });
      close();
    },
  });
  const tick = (key: string, is: boolean): void =>
    setTicked((now) => new Set(is ? [...now, key] : [...now].filter((other) => other !== key)));
  return (
    <FormFields {...sending}>
      <NameInput hint={words.nameHint} maxLength={100} {...form.getInputProps('name')} />
      {scenario !== undefined && scenario.name === form.values.name.trim() && (
        <Text size="sm">{words.replaces(scenario.name)}</Text>
      )}
      <Stack gap={8} role="group" aria-label={words.expects}>
        <Text size="sm" fw={600}>
          {words.expects}
        </Text>
        {expectable.map((one) => (
          <Checkbox
            key={one.key}
            size="sm"
            label={sayLabel(one)}
            description={sayAll(one)}
            checked={ticked.has(one.key)}
            onChange={({ currentTarget: { checked } }) => tick(one.key, checked)}
            styles={{ description: { overflowWrap: 'anywhere', whiteSpace: 'pre-line' } }}
          />
        ))}
      </Stack>
      <Group gap="xs">
        <Button type="submit" size="xs" loading={sending.isSending}>
          {words.save}
        </Button>
        <Button size="xs" variant="default" onClick={close}>
          {commonWords.cancel}
        </Button>
      </Group>
    </FormFields>
  );
};

const sayLabel = ({ label, name, value }: Expectable): string => {
  if (label === 'field') return name;
  if (label === 'messages') return words.labels.messages(Array.isArray(value) ? value.length : 0);
  return words.labels[label];
};

/** The most messages that are quoted. */
const mostQuoted = 6;

const sayAll = ({ label, name, value }: Expectable): string => {
  if (label === 'field') return sayExpected({ type: 'field', name }, value);
  if (label !== 'messages') return sayExpected({ type: label }, value);
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const quoted = list
    .slice(0, mostQuoted)
    .map((message, index) => sayExpected({ type: 'message', number: index + 1 }, message));
  return [...quoted, ...(list.length > mostQuoted ? ['…'] : [])].join('\n');
};
