import { Stack, Title } from '@mantine/core';
import { words } from '../words.ts';

/** What starts the flow. */
export const StartForm = () => (
  <Stack p="md" gap="md">
    <Title order={2} size="h5">
      {words.start}
    </Title>
  </Stack>
);
