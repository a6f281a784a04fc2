import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = {
  title: string;
  description?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  children?: ReactNode;
};

/** A part of a page with a heading of its own. */
export const Section = ({ title, description, actions, children }: Props) => (
  <Paper component="section" aria-label={title} withBorder p="md" miw={0}>
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {description && (
        <Text size="sm" c="dimmed" component="div">
          {description}
        </Text>
      )}
      {children}
    </Stack>
  </Paper>
);
