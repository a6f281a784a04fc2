import { Button, Group, JsonInput, NumberInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { parseJson } from '../../../../shared/platform/json/parse-json.ts';
import type { MockAnswer } from './session.ts';
import { words } from './words.ts';

type Props = { proposed: { status: number; body?: unknown }; use: (answer: MockAnswer) => void };

/** A response that is written by hand, from the one that the mapping needs. */
export const EditAnswer = ({ proposed, use }: Props) => {
  const [status, setStatus] = useState(proposed.status);
  const [text, setText] = useState(() => JSON.stringify(proposed.body ?? {}, null, 2));
  const [error, setError] = useState<string>();
  const send = (): void => {
    try {
      use({ status, body: text.trim() === '' ? '' : parseJson(text) });
    } catch {
      setError(words.request.notJson);
    }
  };
  return (
    <Stack gap={6}>
      <NumberInput
        size="xs"
        label={words.request.status}
        min={200}
        max={599}
        clampBehavior="strict"
        value={status}
        onChange={(value) => setStatus(typeof value === 'number' ? value : 200)}
      />
      <JsonInput
        size="xs"
        label={words.request.body}
        description={words.request.bodyHint}
        autosize
        minRows={3}
        maxRows={12}
        value={text}
        error={error}
        validationError={error}
        onChange={(value) => {
          setText(value);
          setError(undefined);
        }}
      />
      <Group>
        <Button size="compact-sm" onClick={send}>
          {words.request.use}
        </Button>
      </Group>
    </Stack>
  );
};
