import { Alert, Button, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { Present } from '../../../live/presence.ts';
import { useFocusBack } from '../../../parts/use-focus-back.ts';
import { useSignedIn } from '../../../shell/session-context.ts';
import { ChangedTable } from '../compare/changed-table.tsx';
import { sayPart } from '../compare/say-part.ts';
import type { Conflict } from './merge.ts';
import { partsOf } from './parts.ts';
import { isTwofold } from './state.ts';
import type { Draft } from './use-draft.ts';
import { words } from './words.ts';

type Props = { draft: Draft; others: readonly Present[] };

/** Says that somebody else, or its reader elsewhere, has changed the same, and has the reader choose. It takes no key away from who is typing. */
export const Conflicts = ({ draft, others }: Props) => {
  const count = draft.conflicts.length;
  return count > 0 && <Conflicted draft={draft} others={others} count={count} />;
};

const Conflicted = ({ draft, others, count }: Props & { count: number }) => {
  const [isOpen, { open, close }] = useDisclosure();
  const isOwn = useIsOwn(others);
  return (
    <Alert color="orange" title={words.conflict(count, isOwn)} role="alert">
      <Text size="sm">{words.conflictHint}</Text>
      <Button mt="sm" size="xs" variant="default" onClick={open}>
        {words.compare}
      </Button>
      {isOpen && <Choices draft={draft} isOwn={isOwn} close={close} />}
    </Alert>
  );
};

/** Whether all who have the flow open are this user, in other tabs. That stays so when these are closed. */
const useIsOwn = (others: readonly Present[]): boolean => {
  const { user } = useSignedIn();
  const [known, setKnown] = useState(false);
  const isOwn = others.length === 0 ? known : others.every(({ userId }) => userId === user.id);
  if (isOwn !== known) setKnown(isOwn);
  return isOwn;
};

/** Each part as it is here, and as it is elsewhere. Both follow what is changed meanwhile. */
const Choices = ({ draft, isOwn, close }: { draft: Draft; isOwn: boolean; close: () => void }) => {
  useFocusBack();
  return (
    <Modal opened onClose={close} title={words.conflictTitle} size="xl">
      <Stack gap="lg">
        {draft.conflicts.map((conflict) => (
          <OneConflict key={conflict.part} draft={draft} conflict={conflict} isOwn={isOwn} />
        ))}
      </Stack>
    </Modal>
  );
};

const OneConflict = ({ draft, conflict, isOwn }: { draft: Draft; conflict: Conflict; isOwn: boolean }) => {
  const { part, theirs } = conflict;
  const hasBoth = isTwofold(draft, conflict);
  return (
    <Stack gap="xs" component="section" aria-label={sayPart(part)}>
      <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>
        {sayPart(part)}
      </Title>
      <ChangedTable
        label={sayPart(part)}
        before={partsOf(draft.definition).get(part)}
        after={theirs}
        headings={[words.mine(isOwn), words.theirs(isOwn)]}
      />
      {hasBoth && (
        <Text size="xs" c="dimmed">
          {words.bothHint}
        </Text>
      )}
      <Group gap="xs" justify="flex-end">
        <Button variant="default" onClick={() => draft.choose(part, 'theirs')}>
          {words.takeTheirs(isOwn)}
        </Button>
        {hasBoth && (
          <Button variant="default" onClick={() => draft.choose(part, 'both')}>
            {words.keepBoth}
          </Button>
        )}
        <Button onClick={() => draft.choose(part, 'mine')}>{words.keepMine(isOwn)}</Button>
      </Group>
    </Stack>
  );
};
