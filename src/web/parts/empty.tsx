import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = { title: string; children?: ReactNode; action?: ReactNode };

/** Where there is nothing to show: says so, and what to do. */
export const Empty = ({ title, children, action }: Props) => (
  <Stack align="center" gap="xs" py="xl" px="md" ta="center">
    <Title order={2} size="h4">
      {title}
    </Title>
    {children && (
      <Text c="dimmed" maw={520} component="div">
        {children}
      </Text>
    )}
    {action}
  </Stack>
);
