import { useMemo, type ReactNode } from 'react';
import { useFlowNames } from '../../../parts/use-flow-names.ts';
import { useBuilder } from '../builder/builder-context.ts';
import { DrawingContext } from '../drawing/drawing-context.ts';
import { FlowCanvas } from '../drawing/flow-canvas.tsx';
import { readFlow } from '../drawing/read-flow.ts';

/** The draft as it is built. */
export const BuilderCanvas = () => {
  const { definition, open, walk } = useBuilder();
  const flow = useMemo(() => readFlow(definition), [definition]);
  const { nameOf } = useFlowNames();
  const context = {
    countAt: () => undefined,
    nameOf,
    walk,
    wrapFace: (id: string, face: ReactNode) => (
      <button type="button" className="block-face" onClick={() => open(id)}>
        {face}
      </button>
    ),
  };
  return (
    <DrawingContext value={context}>
      <FlowCanvas flow={flow} />
    </DrawingContext>
  );
};
