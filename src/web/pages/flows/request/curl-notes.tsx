import { Code, List, Stack, Text } from '@mantine/core';
import type { CurlNote } from '../../../../shared/flows/curl/findings.ts';
import { words } from './words.ts';

/** What became of each option of a cURL command. */
export const CurlNotes = ({ notes }: { notes: readonly CurlNote[] }) => {
  if (notes.length === 0) return null;
  return (
    <Stack gap={4} component="section" aria-label={words.curl.notes}>
      <Text size="sm" fw={500}>
        {words.curl.notes}
      </Text>
      <List size="sm" spacing={2}>
        {notes.map(({ option, said }) => (
          <List.Item key={`${option} ${said}`}>
            <Code>{option}</Code> {said}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
};
