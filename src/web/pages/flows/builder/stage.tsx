import { useMemo, type ReactNode } from 'react';
import { useFlowNames } from '../../../parts/use-flow-names.ts';
import { useProblems } from '../canvas/use-problems.ts';
import { wireTools } from '../canvas/wire-tools.tsx';
import { DrawingContext } from '../drawing/drawing-context.ts';
import { readFlow, type DrawnFlow } from '../drawing/read-flow.ts';
import { useCounts } from '../drawing/use-counts.ts';
import { useDrawn, type Drawn } from '../drawing/use-drawn.ts';
import { Acting } from './acting.tsx';
import { useBuilder } from './builder-context.ts';

/** A block takes the focus from the canvas, which goes from one to the next by keys. */
const wrapStart = (face: ReactNode) => (
  <div className="block-face" role="button" tabIndex={-1}>
    {face}
  </div>
);

const wrapFace = (_: string, face: ReactNode) => wrapStart(face);

/** The draft as the canvas and the list show it; `drawn` is undefined until it is laid out. */
export type Staged = { flow: DrawnFlow; drawn: Drawn | undefined };

type Props = { children: (staged: Staged) => ReactNode };

/** Reads and draws the draft, for all parts of the builder. */
export const Stage = ({ children }: Props) => {
  const { definition, flowId, walk } = useBuilder();
  const flow = useMemo(() => readFlow(definition), [definition]);
  const { nameOf } = useFlowNames();
  const counts = useCounts(flowId);
  const context = useMemo(
    () => ({ countAt: (id: string | null) => counts.get(id), nameOf, walk, wrapFace, wrapStart, wireTools }),
    [counts, nameOf, walk],
  );
  return (
    <DrawingContext value={context}>
      <Drawing flow={flow}>{children}</Drawing>
    </DrawingContext>
  );
};

const Drawing = ({ flow, children }: Props & { flow: DrawnFlow }) => {
  const { issues, definition } = useBuilder();
  const drawn = useDrawn(flow, useProblems(issues, definition));
  return (
    <Acting flow={flow} drawn={drawn}>
      {children({ flow, drawn })}
    </Acting>
  );
};
