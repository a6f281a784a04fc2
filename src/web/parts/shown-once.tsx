import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { commonWords } from '../words/common.ts';
import { Copyable } from './copy.tsx';

type Props = {
  /** What is shown; nothing is while it is undefined. */
  value: string | undefined;
  title: string;
  /** What is to be done with it. */
  hint: string;
  end: () => void;
};

/** A secret that no later answer has: it cannot be closed by accident. */
export const ShownOnce = ({ value, title, hint, end }: Props) => (
  <Modal
    opened={value !== undefined}
    onClose={end}
    title={title}
    closeOnClickOutside={false}
    closeOnEscape={false}
    withCloseButton={false}
  >
    <Stack gap="sm">
      <Alert color="yellow">{hint}</Alert>
      <Copyable value={value ?? ''} label={title} />
      <Group justify="flex-end">
        <Button onClick={end}>{commonWords.haveCopied}</Button>
      </Group>
    </Stack>
  </Modal>
);
