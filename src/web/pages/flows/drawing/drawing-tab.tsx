import { Empty } from '../../../parts/empty.tsx';
import type { DraftEdit } from '../use-draft.ts';
import { Drawing } from './drawing.tsx';
import { useCounts } from './use-counts.ts';
import { words } from './words.ts';

/** The draft of a flow as it is being written, drawn, with how many runs are at each block now. */
export const DrawingTab = ({ flowId, read }: { flowId: string; read: DraftEdit['read'] }) => {
  const counts = useCounts(flowId);
  if ('problem' in read) return <Empty title={words.noJson}>{read.problem}</Empty>;
  return <Drawing flowId={flowId} definition={read.definition} counts={counts} />;
};
