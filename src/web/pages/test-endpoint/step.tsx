import { Group, Paper, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { words } from './words.ts';

type Props = {
  number: number;
  title: string;
  hint: string;
  isDone: boolean;
  /** Whether it can be taken now. */
  isNext: boolean;
  children?: ReactNode;
};

/** One of the first steps. What is done in it shows when its turn has come. */
export const Step = ({ number, title, hint, isDone, isNext, children }: Props) => (
  <Paper component="section" aria-label={title} withBorder p="md">
    <Group align="flex-start" wrap="nowrap" gap="md">
      <ThemeIcon size={32} radius="xl" variant={isDone ? 'filled' : 'light'} color={isDone ? 'teal' : 'brand'}>
        {isDone ? <IconCheck size={18} aria-hidden /> : <span>{number}</span>}
      </ThemeIcon>
      <Stack gap="xs" flex={1} miw={0}>
        <Title order={2} size="h4">
          {title}
          {isDone && <VisuallyHidden> ({words.steps.done})</VisuallyHidden>}
        </Title>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
        {(isDone || isNext) && children}
      </Stack>
    </Group>
  </Paper>
);
