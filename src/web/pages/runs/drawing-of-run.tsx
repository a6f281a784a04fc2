import { useMemo, type ReactNode } from 'react';
import { useFlowNames } from '../../parts/use-flow-names.ts';
import type { AnyDefinition } from '../flows/definition-text.ts';
import { DrawingContext, type Walk } from '../flows/drawing/drawing-context.ts';
import { DrawingView } from '../flows/drawing/drawing-view.tsx';
import { readFlow } from '../flows/drawing/read-flow.ts';
import { words } from './words.ts';

type Props = {
  definition: AnyDefinition;
  walk: Walk;
  shown: { blockId: string } | undefined;
  /** Shows what happened at a block. */
  tell: (blockId: string) => void;
};

/** The version of a run, drawn with the way that it has taken. A block that it has entered leads to its step. */
export const DrawingOfRun = ({ definition, walk, shown, tell }: Props) => {
  const flow = useMemo(() => readFlow(definition), [definition]);
  const { nameOf } = useFlowNames();
  const context = {
    countAt: () => undefined,
    nameOf,
    wrapFace: (id: string, face: ReactNode) =>
      walk.stateOf(id) === undefined ? (
        <div className="block-face">{face}</div>
      ) : (
        <button type="button" className="block-face" onClick={() => tell(id)}>
          {face}
        </button>
      ),
    walk,
    shown,
  };
  return (
    <DrawingContext value={context}>
      <DrawingView flow={flow} hints={{ drawing: words.drawingHint, list: words.listHint }} />
    </DrawingContext>
  );
};
