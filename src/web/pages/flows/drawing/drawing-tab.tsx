import type { AnyDefinition } from '../definition-text.ts';
import { Drawing } from './drawing.tsx';
import { useCounts } from './use-counts.ts';

/** The draft of a flow as it is being written, drawn, with how many runs are at each block now. */
export const DrawingTab = ({ flowId, definition }: { flowId: string; definition: AnyDefinition }) => {
  const counts = useCounts(flowId);
  return <Drawing flowId={flowId} definition={definition} counts={counts} />;
};
