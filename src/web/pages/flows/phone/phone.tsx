import { Stack, Title } from '@mantine/core';
import { words } from './words.ts';

/** A phone on which the draft is tried. */
export const Phone = () => (
  <Stack p="md">
    <Title order={2} size="h5">
      {words.title}
    </Title>
  </Stack>
);
