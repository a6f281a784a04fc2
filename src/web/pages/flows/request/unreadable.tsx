import { Alert, Button, Code, Stack } from '@mantine/core';
import { words } from './words.ts';

/** The most characters of it that are shown. */
const mostShown = 300;

/** A value that no control can show. It stays until somebody takes it away. */
export const Unreadable = ({ field, value, remove }: { field: string; value: unknown; remove: () => void }) => (
  <Alert color="orange" title={words.notReadable(field)}>
    <Stack gap="xs" align="flex-start">
      <Code style={{ overflowWrap: 'anywhere' }}>{JSON.stringify(value)?.slice(0, mostShown)}</Code>
      <Button size="compact-sm" variant="default" onClick={remove}>
        {words.removeValue}
      </Button>
    </Stack>
  </Alert>
);
