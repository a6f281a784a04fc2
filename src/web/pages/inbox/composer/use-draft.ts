import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { client, type Schemas } from '../../../api/client.ts';
import { invalidate, queryClient } from '../../../api/query-client.ts';
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
  const { data } = useQuery({ queryKey: keyOf(id, kind), queryFn: () => readDraft(id, kind), staleTime: 0 });
  const [text, setText] = useState(data?.text ?? '');
  const [, tell] = useReducer((count: number) => count + 1, 0);
  const known = useRef(data);
  const latest = useRef(text);
  const [saver] = useState<DraftSaver>(() => createDraftSaver((typed) => saveDraft(id, kind, typed), tell));
  const set = useCallback((next: string): void => {
    latest.current = next;
    setText(next);
  }, []);
  useEffect(() => {
    if (!data || data.text === known.current?.text) {
      known.current ??= data;
      return;
    }
    const isFirst = known.current === undefined;
    known.current = data;
    // Whether something is typed is known to the saver alone, outside of rendering.
    // oxlint-disable-next-line react/set-state-in-effect
    if (saver.isSaved()) set(data.text);
    else if (isFirst && data.text !== '') {
      const both = `${data.text}\n${latest.current}`;
      set(both);
      saver.change(both);
    }
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
    clear: (): Promise<void> => {
      set('');
      show(id, kind, '');
      if (known.current) known.current = { ...known.current, text: '' };
      return saver.drop();
    },
    /** Saves nothing more until a reply is sent. */
    hold: saver.hold,
  };
};
