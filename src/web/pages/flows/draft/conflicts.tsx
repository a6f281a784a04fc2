import { Alert, Button, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useFocusBack } from '../../../parts/use-focus-back.ts';
import { ChangedTable } from '../compare/changed-table.tsx';
import { sayPart } from '../compare/say-part.ts';
import { partsOf } from './parts.ts';
import type { Draft } from './use-draft.ts';
import { words } from './words.ts';

/** Says that others have changed the same as its reader, and has them choose. It takes no key away from who is typing. */
export const Conflicts = ({ draft }: { draft: Draft }) => {
  const [isOpen, { open, close }] = useDisclosure();
  const count = draft.conflicts.length;
  if (count === 0) return null;
  return (
    <Alert color="orange" title={words.conflict(count)} role="alert">
      <Text size="sm">{words.conflictHint}</Text>
      <Button mt="sm" size="xs" variant="default" onClick={open}>
        {words.compare}
      </Button>
      {isOpen && <Choices draft={draft} close={close} />}
    </Alert>
  );
};

/** Each part as it is here, and as somebody else has it. Both follow what is changed meanwhile. */
const Choices = ({ draft, close }: { draft: Draft; close: () => void }) => {
  useFocusBack();
  const mine = partsOf(draft.definition);
  return (
    <Modal opened onClose={close} title={words.conflictTitle} size="xl">
      <Stack gap="lg">
        {draft.conflicts.map(({ part, theirs }) => (
          <Stack key={part} gap="xs" component="section" aria-label={sayPart(part)}>
            <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>
              {sayPart(part)}
            </Title>
            <ChangedTable
              label={sayPart(part)}
              before={mine.get(part)}
              after={theirs}
              headings={[words.mine, words.theirs]}
            />
            <Group gap="xs" justify="flex-end">
              <Button variant="default" onClick={() => draft.choose(part, 'theirs')}>
                {words.takeTheirs}
              </Button>
              <Button onClick={() => draft.choose(part, 'mine')}>{words.keepMine}</Button>
            </Group>
          </Stack>
        ))}
      </Stack>
    </Modal>
  );
};
