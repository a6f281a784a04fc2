import './canvas.css';
import { Skeleton } from '@mantine/core';
import { ReactFlowProvider } from '@xyflow/react';
import { useMemo, type ReactNode } from 'react';
import { useFlowNames } from '../../../parts/use-flow-names.ts';
import { useBuilder } from '../builder/builder-context.ts';
import { DrawingContext } from '../drawing/drawing-context.ts';
import { readFlow, type DrawnFlow } from '../drawing/read-flow.ts';
import { useCounts } from '../drawing/use-counts.ts';
import { useDrawn } from '../drawing/use-drawn.ts';
import { Surface } from './surface.tsx';
import { useProblems } from './use-problems.ts';
import { wireTools } from './wire-tools.tsx';

/** A block takes the focus from the canvas, which goes from one to the next by keys. */
const wrapStart = (face: ReactNode) => (
  <div className="block-face" role="button" tabIndex={-1}>
    {face}
  </div>
);

const wrapFace = (_: string, face: ReactNode) => wrapStart(face);

/** The draft as it is built. */
export const BuilderCanvas = () => {
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
      <ReactFlowProvider>
        <Drawn flow={flow} />
      </ReactFlowProvider>
    </DrawingContext>
  );
};

const Drawn = ({ flow }: { flow: DrawnFlow }) => {
  const { issues, definition } = useBuilder();
  const drawn = useDrawn(flow, useProblems(issues, definition));
  return drawn ? <Surface flow={flow} {...drawn} /> : <Skeleton height={380} />;
};
