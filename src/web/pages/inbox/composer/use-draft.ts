import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { client, type Schemas } from '../../../api/client.ts';
import { invalidate, queryClient, retry } from '../../../api/query-client.ts';
import { isSignedIn } from '../../../api/session.ts';
import { useSignedIn } from '../../../shell/session-context.ts';
import { draftKey as keyOf, type Kind } from './draft-key.ts';
import { createDraftSaver, type DraftSaver } from './draft-saver.ts';

type Draft = Schemas['ConversationDraft'];

const readDraft = async (id: string, kind: Kind): Promise<Draft> => {
  const { data } = await client.GET('/conversations/{id}/drafts/{kind}', { params: { path: { id, kind } } });
  if (!data) throw new Error('the draft was not answered');
  return data;
};

const saveDraft = async (id: string, kind: Kind, text: string): Promise<void> => {
  const params = { path: { id, kind } };
  const isEmpty = text.trim() === '';
  const wasEmpty = (queryClient.getQueryData<Draft>(keyOf(id, kind))?.text ?? '') === '';
  if (isEmpty) await client.DELETE('/conversations/{id}/drafts/{kind}', { params });
  else await client.PUT('/conversations/{id}/drafts/{kind}', { params, body: { text }, keepalive: true });
  // An answer that is on its way may be of before.
  await queryClient.cancelQueries({ queryKey: keyOf(id, kind) });
  show(id, kind, text);
  // The mark in the list.
  if (isEmpty !== wasEmpty) void invalidate('/conversations');
};

/** What is known of the draft from now on, until the server is asked again. */
const show = (id: string, kind: Kind, text: string): void => {
  queryClient.setQueryData<Draft>(keyOf(id, kind), { kind, text, revision: 0, updated_at: null });
};

/**
 * What this user is writing in a conversation, which is kept on the server: another browser goes on with it. What is typed before the server has said
 * what was there comes below that. The component that has it is another one for each conversation and kind.
 */
export const useDraft = (id: string, kind: Kind) => {
  const { user } = useSignedIn();
  const { data } = useQuery({ queryKey: keyOf(id, kind), queryFn: () => readDraft(id, kind), staleTime: 0 });
  const [text, setText] = useState(data?.text ?? '');
  const [, tell] = useReducer((count: number) => count + 1, 0);
  const known = useRef(data);
  const latest = useRef(text);
  const [saver] = useState<DraftSaver>(() =>
    // What somebody wrote is never a draft of whoever signs in next.
    createDraftSaver(async (typed) => isSignedIn(user.id) && saveDraft(id, kind, typed), tell),
  );
  const set = useCallback((next: string): void => {
    latest.current = next;
    setText(next);
  }, []);
  useEffect(() => {
    if (known.current) return;
    const take = (stored: Draft): void => {
      known.current = stored;
      if (saver.isSaved()) return set(stored.text);
      // Equal is what was taken back of a reply that was not sent.
      if (stored.text === '' || stored.text === latest.current) return;
      const both = `${stored.text}\n${latest.current}`;
      set(both);
      saver.change(both);
    };
    const first = queryClient.fetchQuery({
      queryKey: keyOf(id, kind),
      queryFn: () => readDraft(id, kind),
      staleTime: Number.POSITIVE_INFINITY,
      retry,
    });
    // Before it is known what is there, saving would write over that. Where it cannot be read, what is typed now counts.
    saver.hold(first.then(take).catch(() => {}));
  }, [id, kind, saver, set]);
  useEffect(() => {
    // While a reply is on its way its text is the draft still.
    if (!data || !known.current || saver.isHeld() || data.text === known.current.text) return;
    known.current = data;
    // Whether something is typed is known to the saver alone, outside of rendering.
    // oxlint-disable-next-line react/set-state-in-effect
    if (saver.isSaved()) set(data.text);
  }, [data, saver, set]);
  useEffect(() => {
    const flush = (): void => saver.flush();
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      // Whoever comes back before it is saved finds it.
      if (!saver.isSaved()) show(id, kind, latest.current);
      flush();
    };
  }, [id, kind, saver]);
  return {
    text,
    isSaved: saver.isSaved(),
    change: (next: string): void => {
      set(next);
      saver.change(next);
    },
    /** The text is sent: the server deletes the draft by itself. */
    clear: async (): Promise<void> => {
      set('');
      // An answer that is on its way would bring it back.
      const cancelled = queryClient.cancelQueries({ queryKey: keyOf(id, kind) });
      show(id, kind, '');
      known.current = { kind, text: '', revision: 0, updated_at: null };
      await Promise.all([cancelled, saver.drop()]);
    },
    /** Puts a text back that could not be sent, above what has been typed since. */
    giveBack: (unsent: string): void => {
      const both = latest.current === '' ? unsent : `${unsent}\n${latest.current}`;
      set(both);
      saver.change(both);
    },
    /** Saves nothing more until a reply is sent. */
    hold: saver.hold,
  };
};
