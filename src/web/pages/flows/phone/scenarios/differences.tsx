import { Stack, Table, Text } from '@mantine/core';
import { sayValue } from '../say.ts';
import { readSpot, type Difference } from './expectations.ts';
import { sayExpected } from './say-expected.ts';
import { words } from './words.ts';

/** The most characters of a text or value. */
const mostShown = 300;

/** What was expected of a scenario, and what came instead. */
export const Differences = ({ differences, of }: { differences: readonly Difference[]; of: string }) => {
  const failed = differences.filter(({ path }) => path === 'simulation');
  const compared = differences.filter(({ path }) => path !== 'simulation');
  return (
    <Stack gap={6}>
      {failed.map(({ actual }) => (
        <Text
          key={JSON.stringify(actual)}
          size="sm"
          c="var(--mantine-color-error)"
          style={{ overflowWrap: 'anywhere' }}
        >
          {sayValue(actual, 500)}
        </Text>
      ))}
      {compared.length > 0 && (
        <Table aria-label={words.differencesOf(of)} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.where}</Table.Th>
              <Table.Th>{words.expected}</Table.Th>
              <Table.Th>{words.actual}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {compared.map(({ path, expected, actual }) => (
              <Table.Tr key={path}>
                <Table.Th fw={500} style={{ overflowWrap: 'anywhere' }}>
                  {saySpot(path)}
                </Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {sayExpected(readSpot(path), expected, mostShown)}
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {sayExpected(readSpot(path), actual, mostShown)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
};

const saySpot = (path: string): string => {
  const spot = readSpot(path);
  if (spot.type === 'message')
    return spot.part === undefined
      ? words.spots.message(spot.number)
      : words.spots.partOfMessage(spot.number, words.parts[spot.part]);
  return spot.type === 'field' ? spot.name : words.spots[spot.type];
};
