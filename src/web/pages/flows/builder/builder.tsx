import './builder.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { BuilderCanvas } from '../canvas/builder-canvas.tsx';
import type { Draft } from '../draft/use-draft.ts';
import type { Walk } from '../drawing/drawing-context.ts';
import { BuilderList } from '../list/builder-list.tsx';
import { blocksOf } from '../edits/blocks.ts';
import { Phone } from '../phone/phone.tsx';
import { EmptyFlow } from '../templates/empty-flow.tsx';
import { BuilderContext, startId, type Builder as Shared } from './builder-context.ts';
import { Side } from './side.tsx';
import { Stage } from './stage.tsx';
import { Toolbar } from './toolbar.tsx';
import { useOthers } from './use-others.ts';
import { useView } from './view.ts';
import { WithNumbers } from './with-numbers.tsx';

type Props = {
  flowId: string;
  draft: Draft;
  /** Whether the address asks for the start's form. */
  opensStart: boolean;
};

/** The canvas, or the list of blocks, with what stands beside it: the panel of the selected block, or the phone. */
export const Builder = ({ flowId, draft, opensStart }: Props) => {
  const [selected, select] = useState<readonly string[]>([]);
  const [opened, setOpened] = useState<Shared['opened']>();
  const [contactId, setContactId] = useState<string>();
  const [showsNumbers, setShowsNumbers] = useState(false);
  const [isSimulating, setSimulating] = useState(false);
  const [simulatedFrom, setSimulatedFrom] = useState<Shared['simulatedFrom']>();
  const [walk, setWalk] = useState<Walk>();
  const [view, setView] = useView();
  const hasPhone = useHasBeen(isSimulating);
  const isEmpty = blocksOf(draft.definition).length === 0;
  const others = useOthers(flowId, selected[0] ?? null);
  // They stay the same while a draft changes, and what takes them is not rendered for it.
  const doors = useMemo(
    (): Pick<Shared, 'open' | 'setSimulating' | 'simulateFrom'> => ({
      open: (blockId, path = '') => {
        select([blockId]);
        setSimulating(false);
        setOpened({ blockId, path });
      },
      setSimulating: (is) => {
        setSimulating(is);
        if (!is) setWalk(undefined);
      },
      simulateFrom: (blockId) => {
        setSimulatedFrom({ blockId });
        setSimulating(true);
      },
    }),
    [],
  );
  const shared = useMemo(
    (): Shared => ({
      ...draft,
      issues: begun(draft),
      flowId,
      others,
      selected,
      select,
      opened,
      ...doors,
      contactId,
      setContactId,
      showsNumbers,
      setShowsNumbers,
      isSimulating,
      simulatedFrom,
      walk,
      setWalk,
    }),
    [draft, flowId, others, selected, doors, opened, contactId, showsNumbers, isSimulating, simulatedFrom, walk],
  );
  const [params] = useSearchParams();
  useAsked(params.has('phone'), () => setSimulating(true));
  useAsked(opensStart, () => shared.open(startId));
  return (
    <BuilderContext value={shared}>
      <Stage>
        {(staged) => (
          <div className="builder fill">
            <Toolbar view={view} setView={setView} />
            <div className="builder-parts">
              <div className="builder-canvas">
                <WithNumbers>
                  {isEmpty ? (
                    <EmptyFlow />
                  ) : view === 'list' ? (
                    <BuilderList {...staged} />
                  ) : (
                    <BuilderCanvas {...staged} />
                  )}
                </WithNumbers>
              </div>
              {/* Its conversation stays while a block is opened from it. */}
              {hasPhone && (
                <aside className="builder-side builder-phone" hidden={!isSimulating}>
                  <Phone />
                </aside>
              )}
              {!isSimulating && selected.length > 0 && <Side key={selected[0]} />}
            </div>
          </div>
        )}
      </Stage>
    </BuilderContext>
  );
};

/** The problems that are shown: while a list of blocks is empty nobody has done anything wrong. Publishing refuses it all the same. */
const begun = ({ issues, definition: { blocks } }: Draft): Draft['issues'] =>
  Array.isArray(blocks) && blocks.length === 0 ? issues.filter(({ path }) => path !== 'blocks') : issues;

/** Opens a part for each link that asks for it, also while the builder is there. */
const useAsked = (isAsked: boolean, open: () => void): void => {
  const { key } = useLocation();
  const done = useRef('');
  useEffect(() => {
    if (!isAsked || done.current === key) return;
    done.current = key;
    open();
  }, [isAsked, key, open]);
};

/** Whether something is so, or was once. */
const useHasBeen = (is: boolean): boolean => {
  const [hasBeen, setHasBeen] = useState(is);
  if (is && !hasBeen) setHasBeen(true);
  return is || hasBeen;
};
