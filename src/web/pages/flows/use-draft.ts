import { useEffect, useMemo, useRef, useState } from 'react';
import { api, client, type Schemas } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { invalidate, queryClient } from '../../api/query-client.ts';
import { isSessionOver } from '../../api/session.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { findKeptText, forgetKeptText, keepText, type Edited } from './kept-text.ts';
import { readDefinition, showDefinition } from './definition-text.ts';

type Draft = Schemas['FlowDraft'];

/** The draft of a flow, as it is stored and as it is being changed here. */
export type DraftEdit = {
  /** As it is stored. */
  stored: Draft;
  text: string;
  setText: (text: string) => void;
  /** What the text says, where it is JSON. */
  read: ReturnType<typeof readDefinition>;
  isChanged: boolean;
  /** Whether somebody else has stored another one since this text was begun. */
  isConflicting: boolean;
  takeTheirs: () => void;
  /** Stores the text. Refused with 412 when somebody else has stored another one, unless `over` names that one. Answers the revision. */
  save: (over?: number) => Promise<number>;
};

const editedOf = ({ revision, definition }: Draft): Edited => {
  const text = showDefinition(definition);
  return { revision, text, savedText: text };
};

/** The text that is being written. One that is not saved when the session ends is kept until its writer is here again. */
const useKeptText = (flowId: string) => {
  const userId = useSignedIn().user.id;
  const [edited, setEdited] = useState(() => findKeptText({ userId, flowId }));
  const latest = useRef(edited);
  useEffect(() => {
    latest.current = edited;
  });
  useEffect(() => {
    forgetKeptText({ userId, flowId });
    return () => {
      const { current } = latest;
      if (current && current.text !== current.savedText && isSessionOver()) keepText({ userId, flowId }, current);
    };
  }, [userId, flowId]);
  return [edited, setEdited] as const;
};

/** Reads the draft of a flow. What is being written stays as it is whatever others store meanwhile. */
export const useDraft = (id: string): { draft: DraftEdit | undefined; error: unknown; retry: () => void } => {
  const asked = api.queryOptions('get', '/flows/{id}/draft', { params: { path: { id } } });
  const { data, error, refetch } = api.useQuery('get', '/flows/{id}/draft', { params: { path: { id } } });
  const [edited, setEdited] = useKeptText(id);
  const isChanged = edited !== undefined && edited.text !== edited.savedText;
  const isNewer = data !== undefined && data.revision > (edited?.revision ?? -1);
  if (data && isNewer && !isChanged) setEdited(editedOf(data));
  const text = edited?.text ?? '';
  const read = useMemo(() => readDefinition(text), [text]);
  if (!data || !edited) return { draft: undefined, error, retry: () => void refetch() };

  const save = async (over = edited.revision): Promise<number> => {
    if ('problem' in read) throw new TypeError(read.problem);
    try {
      const { data: saved } = await client.PUT('/flows/{id}/draft', {
        params: { path: { id }, header: { 'If-Match': `"${over}"` } },
        body: { definition: read.definition },
      });
      if (!saved) throw new TypeError('a saved draft is answered');
      queryClient.setQueryData(asked.queryKey, saved);
      // What is typed meanwhile stays.
      setEdited((now) => ({ revision: saved.revision, text: now?.text ?? edited.text, savedText: edited.text }));
      await invalidate('/flows');
      return saved.revision;
    } catch (refused) {
      if (refused instanceof ApiFailure && refused.status === 412) await refetch();
      throw refused;
    }
  };
  const draft = {
    stored: data,
    text,
    setText: (changed: string) => setEdited((now) => ({ ...(now ?? edited), text: changed })),
    read,
    isChanged,
    isConflicting: isChanged && isNewer,
    takeTheirs: () => setEdited(editedOf(data)),
    save,
  };
  return { draft, error: null, retry: () => void refetch() };
};
