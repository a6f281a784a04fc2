import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { api, client, type Schemas } from '../../../api/client.ts';
import { ApiFailure } from '../../../api/failure.ts';
import { invalidate, queryClient } from '../../../api/query-client.ts';
import { isSessionOver } from '../../../api/session.ts';
import { useSignedIn } from '../../../shell/session-context.ts';
import { readDefinition, showDefinition } from '../definition-text.ts';
import { findKeptText, forgetKeptText, keepText } from '../kept-text.ts';
import { browserClock } from './clock.ts';
import type { DraftEditing } from './editing.ts';
import { createSession, type Session } from './session.ts';
import { beginWith, isChanged, textOf, type as typeText, type DraftState } from './state.ts';
import { words } from './words.ts';

type StoredDraft = Schemas['FlowDraft'];

/** The draft of a flow, as it is stored and as it is being changed here. */
export type Draft = DraftEditing & {
  /** As it is stored. */
  stored: StoredDraft;
  /** As JSON; while it is typed, as it was typed. */
  text: () => string;
  setText: (text: string) => void;
  format: () => void;
  /** Why the text is no JSON, where it is none. */
  problem: string | undefined;
  isChanged: boolean;
  /** Whether somebody else has stored another one since this one was begun. */
  isConflicting: boolean;
  takeTheirs: () => void;
  /** Stores the draft. Refused with 412 when somebody else has stored another one, unless `over` names that one. Answers the revision. */
  save: (over?: number) => Promise<number>;
};

const open = (begun: DraftState): Session =>
  createSession(begun, { clock: browserClock, jsonStep: { label: words.editJson, gesture: 'json' } });

/** The draft that is stored, with what its writer had not saved when the session ended. */
const begin = (owner: { userId: string; flowId: string }, stored: StoredDraft): Session => {
  const kept = findKeptText(owner);
  const before = kept && readDefinition(kept.savedText);
  if (!kept || !before || 'problem' in before) return open(beginWith(stored));
  return open(typeText(beginWith({ revision: kept.revision, definition: before.definition }), kept.text));
};

/** Reads the draft of a flow. What is being written stays as it is whatever others store meanwhile. */
export const useDraft = (id: string): { draft: Draft | undefined; error: unknown; retry: () => void } => {
  const userId = useSignedIn().user.id;
  const { data, error, refetch } = api.useQuery('get', '/flows/{id}/draft', { params: { path: { id } } });
  const [session, setSession] = useState<Session>();
  if (data && !session) setSession(begin({ userId, flowId: id }, data));
  const save = useCallback((over?: number) => saveDraft({ id, session, refetch, over }), [id, session, refetch]);
  const draft = useOpenDraft({ id, userId, session, data, save });
  return { draft, error: draft ? null : error, retry: () => void refetch() };
};

type Saving = {
  id: string;
  session: Session | undefined;
  refetch: () => Promise<unknown>;
  over: number | undefined;
};

const saveDraft = async ({ id, session, refetch, over }: Saving): Promise<number> => {
  if (!session) throw new TypeError('a draft that is not read yet is not saved');
  session.readTyped();
  const { typed, definition, base } = session.store.getState();
  if (typed?.isRead === false) throw new TypeError(typed.problem);
  try {
    const { data: saved } = await client.PUT('/flows/{id}/draft', {
      params: { path: { id }, header: { 'If-Match': `"${over ?? base.revision}"` } },
      body: { definition },
    });
    if (!saved) throw new TypeError('a saved draft is answered');
    const { queryKey } = api.queryOptions('get', '/flows/{id}/draft', { params: { path: { id } } });
    queryClient.setQueryData(queryKey, saved);
    session.store.setState({ base: { revision: saved.revision, definition } });
    await invalidate('/flows');
    return saved.revision;
  } catch (refused) {
    if (refused instanceof ApiFailure && refused.status === 412) await refetch();
    throw refused;
  }
};

type Open = Pick<Draft, 'save'> & {
  id: string;
  userId: string;
  session: Session | undefined;
  data: StoredDraft | undefined;
};

const useOpenDraft = ({ id, userId, session, data, save }: Open): Draft | undefined => {
  const none = useMemo(() => open(beginWith({ revision: -1, definition: {} })), []);
  const state = useStore((session ?? none).store);
  const changed = useMemo(() => isChanged(state), [state]);
  const isNewer = data !== undefined && data.revision > state.base.revision;
  useEffect(() => {
    if (session && data && isNewer && !changed) session.store.setState(beginWith(data));
  }, [session, data, isNewer, changed]);
  useEffect(() => {
    if (!session) return undefined;
    forgetKeptText({ userId, flowId: id });
    return () => {
      const last = session.store.getState();
      if (!isChanged(last) || !isSessionOver()) return;
      const { revision, definition } = last.base;
      keepText({ userId, flowId: id }, { revision, text: textOf(last), savedText: showDefinition(definition) });
    };
  }, [session, userId, id]);
  return useMemo(() => {
    if (!session || !data) return undefined;
    const { definition, history, typed } = state;
    const [undone, redone] = [history.done.at(-1), history.undone.at(-1)];
    return {
      definition,
      edit: session.edit,
      undo: undone && { label: undone.label, run: session.undo },
      redo: redone && { label: redone.label, run: session.redo },
      stored: data,
      text: () => textOf(state),
      setText: session.type,
      format: session.format,
      problem: typed?.isRead === false ? typed.problem : undefined,
      isChanged: changed,
      isConflicting: changed && isNewer,
      save,
      takeTheirs: () => session.store.setState(beginWith(data)),
    };
  }, [session, data, save, state, changed, isNewer]);
};
