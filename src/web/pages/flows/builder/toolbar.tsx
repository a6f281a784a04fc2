import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, type Icon } from '@tabler/icons-react';
import { memo } from 'react';
import { SaveState } from '../draft/save-state.tsx';
import { ProblemList } from '../panel/problems/problem-list.tsx';
import { startId, useBuilder, type Builder } from './builder-context.ts';
import { words } from './words.ts';

/** What can be done with the whole draft. */
export const Toolbar = () => {
  const { undo, redo, saving, isKept, isSimulating, setSimulating, showsNumbers, setShowsNumbers, open } = useBuilder();
  return (
    <Group gap="xs" role="toolbar" aria-label={words.toolbar}>
      <Back
        label={words.undoes}
        hint={undo ? words.undo(undo.label) : words.nothingToUndo}
        icon={IconArrowBackUp}
        run={undo?.run}
      />
      <Back
        label={words.redoes}
        hint={redo ? words.redo(redo.label) : words.nothingToRedo}
        icon={IconArrowForwardUp}
        run={redo?.run}
      />
      <SaveState saving={saving} isKept={isKept} />
      <Views {...{ isSimulating, setSimulating, showsNumbers, setShowsNumbers, open }} />
      <ProblemList />
    </Group>
  );
};

type BackProps = { label: string; hint: string; icon: Icon; run: (() => void) | undefined };

/** Undoes or redoes; `run` is undefined while there is nothing to. */
const Back = memo(({ label, hint, icon: Shown, run }: BackProps) => (
  <Tooltip label={hint}>
    <ActionIcon variant="default" size="lg" aria-label={label} data-disabled={!run} onClick={run}>
      <Shown size={18} aria-hidden />
    </ActionIcon>
  </Tooltip>
));
Back.displayName = 'Back';

type ViewProps = Pick<Builder, 'isSimulating' | 'setSimulating' | 'showsNumbers' | 'setShowsNumbers' | 'open'>;

const Views = memo(({ isSimulating, setSimulating, showsNumbers, setShowsNumbers, open }: ViewProps) => (
  <>
    <Button variant="default" aria-pressed={showsNumbers} onClick={() => setShowsNumbers(!showsNumbers)}>
      {showsNumbers ? words.hideNumbers : words.showNumbers}
    </Button>
    <Button variant="default" aria-pressed={isSimulating} onClick={() => setSimulating(!isSimulating)}>
      {isSimulating ? words.closePhone : words.openPhone}
    </Button>
    <Button variant="default" onClick={() => open(startId)}>
      {words.openStart}
    </Button>
  </>
));
Views.displayName = 'Views';
