import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useSignedIn } from '../../../shell/session-context.ts';
import { mayAs } from '../../../api/session.ts';
import type { Issue } from '../json/issue-list.tsx';
import type { DraftEditing } from './editing.ts';
import type { Conflict } from './merge.ts';
import type { Opened } from './open.ts';
import { acquireDraft, releaseDraft } from './open-drafts.ts';
import type { Part } from './parts.ts';
import type { Choice, OpenDraft, Saving } from './session.ts';
import { isUnread, isUnsaved, textOf } from './state.ts';

/** The draft of a flow as it is being changed here, and how it is saved. */
export type Draft = DraftEditing & {
  saving: Saving;
  /** Whether the browser keeps what is not stored yet. */
  isKept: boolean;
  /** What is wrong with it, as far as it is stored. */
  issues: readonly Issue[];
  /** Has the server say again what is wrong, after something was created that the draft names. */
  recheck: () => void;
  /** The revision that is stored. */
  revision: number;
  /** As JSON; while it is typed, as it was typed. */
  text: () => string;
  setText: (text: string) => void;
  turnText: Opened['session']['turnText'];
  format: () => void;
  /** Why the text is no JSON, where it is none. */
  problem: string | undefined;
  /** Whether something is not stored yet. */
  isChanged: boolean;
  conflicts: readonly Conflict[];
  choose: (part: Part, choice: Choice) => void;
  /** Saves now what can be saved. Answers the draft as it is then. */
  save: () => Promise<OpenDraft>;
};

/** Opens the draft of a flow, of which the server is known to have this revision. */
export const useDraft = (
  flowId: string,
  revision: number | undefined,
): { draft: Draft | undefined; error: unknown; retry: () => void } => {
  const session = useSignedIn();
  const [userId, mayEdit] = [session.user.id, mayAs('editor', session)];
  const [opened, setOpened] = useState<Opened>();
  const [failure, setFailure] = useState<{ error: unknown }>();
  useEffect(() => {
    if (failure) return undefined;
    const owner = { userId, flowId, mayEdit };
    const opening = acquireDraft(owner);
    let isHere = true;
    opening.then(
      (found) => isHere && setOpened(found),
      (error: unknown) => isHere && setFailure({ error }),
    );
    return () => {
      isHere = false;
      setOpened(undefined);
      opening.then(
        () => void releaseDraft(owner),
        () => {},
      );
    };
  }, [userId, flowId, mayEdit, failure]);
  useEffect(() => {
    if (revision !== undefined) opened?.saver.hear(revision);
  }, [opened, revision]);
  return { draft: useOpened(opened), error: failure?.error ?? null, retry: () => setFailure(undefined) };
};

const noStore = { getState: () => undefined, getInitialState: () => undefined, subscribe: () => () => {} };

const useOpened = (opened: Opened | undefined): Draft | undefined => {
  const state = useStore<typeof noStore | Opened['session']['store'], OpenDraft | undefined>(
    opened?.session.store ?? noStore,
    (now) => now,
  );
  return useMemo(() => {
    if (!opened || !state) return undefined;
    const { session, saver } = opened;
    const { definition, history, typed, saving, isKept, issues, conflicts, base } = state;
    const [undone, redone] = [history.done.at(-1), history.undone.at(-1)];
    return {
      definition,
      edit: session.edit,
      undo: undone && { label: undone.label, run: session.undo },
      redo: redone && { label: redone.label, run: session.redo },
      saving,
      isKept,
      issues,
      recheck: saver.recheck,
      revision: base.revision,
      text: () => textOf(state),
      setText: session.type,
      turnText: session.turnText,
      format: session.format,
      problem: typed?.isRead === false ? typed.problem : undefined,
      isChanged: isUnsaved(state) || isUnread(state),
      conflicts,
      choose: session.choose,
      save: async () => {
        await saver.settle();
        return session.store.getState();
      },
    };
  }, [opened, state]);
};
