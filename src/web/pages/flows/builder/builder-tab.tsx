import type { Draft } from '../draft/use-draft.ts';
import { useIssues } from '../json/use-issues.ts';
import { Builder } from './builder.tsx';

/** The draft of a flow, built by hand. */
export const BuilderTab = ({ flowId, draft, opensStart }: { flowId: string; draft: Draft; opensStart: boolean }) => {
  const issues = useIssues(flowId, draft);
  return <Builder flowId={flowId} editing={draft} issues={issues} opensStart={opensStart} />;
};
