import { Code, Group, Text } from '@mantine/core';
import { words } from './words.ts';

/** What a webhook subscribes to. */
export const Events = ({ names }: { names: readonly string[] }) => {
  if (names.includes('*')) return <Text size="sm">{words.allEvents}</Text>;
  return (
    <Group gap={4}>
      {names.map((name) => (
        <Code key={name}>{name}</Code>
      ))}
    </Group>
  );
};
