import { createContext, use, useMemo, type ReactNode } from 'react';
import { useDraft, type Draft } from './use-draft.ts';

type OpenedDraft = ReturnType<typeof useDraft>;

const DraftContext = createContext<OpenedDraft>({ draft: undefined, error: null, retry: () => undefined });

type Props = { flowId: string; revision: number | undefined; children: ReactNode };

/** Opens the draft of a flow for what stands within. Only those parts are rendered for a change of it that read it. */
export const WithDraft = ({ flowId, revision, children }: Props) => {
  const { draft, error, retry } = useDraft(flowId, revision);
  // oxlint-disable-next-line react/exhaustive-deps -- `retry` does the same each time
  const opened = useMemo(() => ({ draft, error, retry }), [draft, error]);
  return <DraftContext value={opened}>{children}</DraftContext>;
};

/** The draft of the flow around. */
export const useOpenedDraft = (): OpenedDraft => use(DraftContext);

/** Shows something of the draft of the flow around, which is undefined until it is open. */
export const OfDraft = ({ children }: { children: (draft: Draft | undefined) => ReactNode }) =>
  children(useOpenedDraft().draft);
