import { Button, Group, Stack, Text } from '@mantine/core';
import { isObject } from '../../../../../shared/flows/raw-blocks.ts';
import { sayNumber } from '../../../../words/numbers.ts';
import { Misfit } from '../controls/misfit.tsx';
import { NumberField } from '../controls/number-field.tsx';
import { useAt } from '../controls/use-at.ts';
import { FieldProblems } from '../problems/field-problems.tsx';
import { words as all } from './words.ts';

const words = all.split;

/** The ways of which a split may have two to four. */
const ways = ['a', 'b', 'c', 'd'];

/** How many contacts go each way. */
export const SplitForm = () => {
  const { value, set, problems, problemsId } = useAt('weights', { isWhole: false });
  if (value !== undefined && !isObject(value)) return <Misfit path="weights" label={words.weights} />;
  const weights = value ?? {};
  const weightOf = (way: string): number => {
    const weight = weights[way];
    return typeof weight === 'number' && weight > 0 ? weight : 0;
  };
  const sum = ways.reduce((total, way) => total + weightOf(way), 0);
  const isThere = (way: string): boolean => way === 'a' || way === 'b' || weights[way] !== undefined;
  const next = ways.find((way) => !isThere(way));
  return (
    <Stack gap="xs" data-field="weights" role="group" aria-label={words.weights}>
      <Text size="xs" c="dimmed">
        {words.hint}
      </Text>
      {ways.filter(isThere).map((way) => (
        <Group key={way} gap="xs" align="flex-end" wrap="nowrap">
          <div style={{ flex: 1 }}>
            <NumberField
              path={`weights.${way}`}
              label={words.way(way)}
              description={words.share(`${sum === 0 ? 0 : Math.round((weightOf(way) / sum) * 1_000) / 10} %`)}
              min={0}
              max={1_000}
            />
          </div>
          {way !== 'a' && way !== 'b' && (
            <Button
              size="xs"
              variant="default"
              onClick={() => set(Object.fromEntries(Object.entries(weights).filter(([other]) => other !== way)))}
            >
              {words.remove(way)}
            </Button>
          )}
        </Group>
      ))}
      <Group justify="space-between">
        <Text size="sm">{words.sum(sayNumber(sum))}</Text>
        {next !== undefined && (
          <Button size="xs" variant="default" onClick={() => set({ ...weights, [next]: 50 })}>
            {words.add(next)}
          </Button>
        )}
      </Group>
      <FieldProblems id={problemsId} problems={problems} />
    </Stack>
  );
};
