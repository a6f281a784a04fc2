import './builder.css';
import { useMemo, useState } from 'react';
import { BuilderCanvas } from '../canvas/builder-canvas.tsx';
import type { DraftEditing } from '../draft/editing.ts';
import type { Walk } from '../drawing/drawing-context.ts';
import type { Issue } from '../json/issue-list.tsx';
import { Panel } from '../panel/panel.tsx';
import { Phone } from '../phone/phone.tsx';
import { BuilderContext, type Builder as Shared } from './builder-context.ts';
import { Toolbar } from './toolbar.tsx';

type Props = { flowId: string; editing: DraftEditing; issues: readonly Issue[] };

/** The canvas with what stands beside it: the panel of the selected block, or the phone. */
export const Builder = ({ flowId, editing, issues }: Props) => {
  const [selected, select] = useState<readonly string[]>([]);
  const [opened, setOpened] = useState<Shared['opened']>();
  const [contactId, setContactId] = useState<string>();
  const [isSimulating, setSimulating] = useState(false);
  const [walk, setWalk] = useState<Walk>();
  const shared = useMemo(
    (): Shared => ({
      ...editing,
      flowId,
      issues,
      selected,
      select,
      opened,
      open: (blockId, path = '') => {
        select([blockId]);
        setSimulating(false);
        setOpened({ blockId, path });
      },
      contactId,
      setContactId,
      isSimulating,
      setSimulating,
      walk,
      setWalk,
    }),
    [editing, flowId, issues, selected, opened, contactId, isSimulating, walk],
  );
  return (
    <BuilderContext value={shared}>
      <div className="builder fill">
        <Toolbar />
        <div className="builder-parts">
          <div className="builder-canvas">
            <BuilderCanvas />
          </div>
          {isSimulating ? (
            <aside className="builder-side">
              <Phone />
            </aside>
          ) : (
            selected.length > 0 && (
              <aside className="builder-side">
                <Panel />
              </aside>
            )
          )}
        </div>
      </div>
    </BuilderContext>
  );
};
