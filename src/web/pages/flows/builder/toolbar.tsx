import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { SaveState } from '../draft/save-state.tsx';
import { ProblemList } from '../panel/problems/problem-list.tsx';
import { startId, useBuilder } from './builder-context.ts';
import { words } from './words.ts';

/** What can be done with the whole draft. */
export const Toolbar = () => {
  const { undo, redo, saving, isKept, isSimulating, setSimulating, showsNumbers, setShowsNumbers, open } = useBuilder();
  return (
    <Group gap="xs" role="toolbar" aria-label={words.toolbar}>
      <Tooltip label={undo ? words.undo(undo.label) : words.nothingToUndo}>
        <ActionIcon variant="default" size="lg" aria-label={words.undoes} data-disabled={!undo} onClick={undo?.run}>
          <IconArrowBackUp size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={redo ? words.redo(redo.label) : words.nothingToRedo}>
        <ActionIcon variant="default" size="lg" aria-label={words.redoes} data-disabled={!redo} onClick={redo?.run}>
          <IconArrowForwardUp size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <SaveState saving={saving} isKept={isKept} />
      <Button variant="default" aria-pressed={showsNumbers} onClick={() => setShowsNumbers(!showsNumbers)}>
        {showsNumbers ? words.hideNumbers : words.showNumbers}
      </Button>
      <Button variant="default" aria-pressed={isSimulating} onClick={() => setSimulating(!isSimulating)}>
        {isSimulating ? words.closePhone : words.openPhone}
      </Button>
      <Button variant="default" onClick={() => open(startId)}>
        {words.openStart}
      </Button>
      <ProblemList />
    </Group>
  );
};
