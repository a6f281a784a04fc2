import { ActionIcon, Button, Group, SegmentedControl, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, IconList, IconSitemap, type Icon } from '@tabler/icons-react';
import { memo, useMemo } from 'react';
import { SaveState } from '../draft/save-state.tsx';
import { ProblemList } from '../panel/problems/problem-list.tsx';
import { useActing } from './acting-context.ts';
import { startId, useBuilder, type Builder } from './builder-context.ts';
import { views, type View } from './view.ts';
import { words } from './words.ts';

type Props = { view: View; setView: (view: View) => void };

/** What can be done with the whole draft. */
export const Toolbar = ({ view, setView }: Props) => {
  const { actions } = useActing();
  const back = useMemo(() => ({ undo: () => actions.step('undo'), redo: () => actions.step('redo') }), [actions]);
  const { undo, redo, saving, isKept, isSimulating, setSimulating, showsNumbers, setShowsNumbers, open } = useBuilder();
  return (
    <Group gap="xs" role="toolbar" aria-label={words.toolbar} className="builder-tools">
      <Back
        label={words.undoes}
        hint={undo ? words.undo(undo.label) : words.nothingToUndo}
        icon={IconArrowBackUp}
        run={undo && back.undo}
      />
      <Back
        label={words.redoes}
        hint={redo ? words.redo(redo.label) : words.nothingToRedo}
        icon={IconArrowForwardUp}
        run={redo && back.redo}
      />
      <SaveState saving={saving} isKept={isKept} />
      <Shown view={view} setView={setView} />
      <Views {...{ isSimulating, setSimulating, open }} />
      <ProblemList />
      <Numbers {...{ showsNumbers, setShowsNumbers }} />
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

type ViewProps = Pick<Builder, 'isSimulating' | 'setSimulating' | 'open'>;

const Views = memo(({ isSimulating, setSimulating, open }: ViewProps) => (
  <>
    <Button variant="default" aria-pressed={isSimulating} onClick={() => setSimulating(!isSimulating)}>
      {isSimulating ? words.closePhone : words.openPhone}
    </Button>
    <Button variant="default" onClick={() => open(startId)}>
      {words.openStart}
    </Button>
  </>
));
Views.displayName = 'Views';

type NumberProps = Pick<Builder, 'showsNumbers' | 'setShowsNumbers'>;

const Numbers = memo(({ showsNumbers, setShowsNumbers }: NumberProps) => (
  <Button variant="default" aria-pressed={showsNumbers} onClick={() => setShowsNumbers(!showsNumbers)}>
    {showsNumbers ? words.hideNumbers : words.showNumbers}
  </Button>
));
Numbers.displayName = 'Numbers';

const icons = { drawing: IconSitemap, list: IconList };

/** How the blocks are shown. */
const Shown = memo(({ view, setView }: Props) => (
  <SegmentedControl
    aria-label={words.view}
    value={view}
    onChange={setView}
    data={views.map((value) => {
      const Mark = icons[value];
      return {
        value,
        label: (
          <span className="builder-view">
            <Mark size={16} aria-hidden />
            <span>{words.views[value]}</span>
          </span>
        ),
      };
    })}
  />
));
Shown.displayName = 'Shown';
