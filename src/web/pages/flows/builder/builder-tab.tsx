import { useMemo } from 'react';
import { Empty } from '../../../parts/empty.tsx';
import { showDefinition } from '../definition-text.ts';
import type { DraftEditing } from '../draft/editing.ts';
import { words as drawingWords } from '../drawing/words.ts';
import { useIssues } from '../json/use-issues.ts';
import type { DraftEdit } from '../use-draft.ts';
import { Builder } from './builder.tsx';

/** The draft of a flow, built by hand. */
export const BuilderTab = ({ flowId, draft }: { flowId: string; draft: DraftEdit }) => {
  const { read, setText } = draft;
  const issues = useIssues(flowId, draft);
  const definition = 'definition' in read ? read.definition : undefined;
  const editing = useMemo(
    (): DraftEditing | undefined =>
      definition && {
        definition,
        edit: (_, change) => setText(showDefinition(change(definition))),
        undo: undefined,
        redo: undefined,
      },
    // The setter changes with each render of the page and does the same.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [definition],
  );
  if (!editing) return <Empty title={drawingWords.noJson}>{'problem' in read && read.problem}</Empty>;
  return <Builder flowId={flowId} editing={editing} issues={issues} />;
};
