import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { ApiFailure } from '../../../api/failure.ts';
import { keep, readKept } from '../../../api/kept.ts';
import { client, type Schemas } from '../../../api/client.ts';
import { invalidate, queryClient } from '../../../api/query-client.ts';
import { findUserId } from '../../../api/session.ts';
import { tellGap } from '../../../live/talks.ts';
import { newRandomId } from '../../../parts/random-id.ts';
import { showDone } from '../../../parts/show-done.tsx';
import { words } from '../words.ts';
import { draftKey } from './draft-key.ts';
import { inLine, insist } from './in-line.ts';

/** What becomes of a conversation with a reply. */
export type Next = NonNullable<Schemas['NewReply']['next']>;

/** A file of a reply. */
export type SentFile = Extract<Schemas['Attachment'], { url: string }>;

/**
 * A reply that is not in the thread yet. `crossed`: a colleague has answered since its author looked, and what the author wants is asked.
 */
export type Outgoing = {
  ref: string;
  text: string;
  files: readonly SentFile[];
  next: Next | undefined;
  seen: number;
  at: string;
} & (
  | { state: 'sending' | 'sent' }
  | { state: 'failed'; error: unknown }
  | { state: 'crossed'; answer: Schemas['Message'] }
);

// In the cache of queries, so that the end of a session takes them along. They stay until they are in the thread.
const keyOf = (conversationId: string) => ['outgoing', conversationId] as const;
queryClient.setQueryDefaults(['outgoing'], { gcTime: Number.POSITIVE_INFINITY, staleTime: Number.POSITIVE_INFINITY });

const none: readonly Outgoing[] = [];

/** The replies that are kept over a reload. Whoever has more of them under way has a network again before they reload. */
const keptAtMost = 50;

type Kept = Pick<Outgoing, 'ref' | 'text' | 'files' | 'next' | 'seen'> & { conversationId: string };

/** Under which it is known whose replies are kept: with the replies, because whoever signs in next has others, and the same user gets theirs again. */
const keptOfKey = ['replies-kept-of'] as const;
queryClient.setQueryDefaults(keptOfKey, { gcTime: Number.POSITIVE_INFINITY, staleTime: Number.POSITIVE_INFINITY });

const keepAll = (): void => {
  const keptOf = queryClient.getQueryData<string>(keptOfKey);
  if (keptOf === undefined) return;
  const value = queryClient
    .getQueriesData<readonly Outgoing[]>({ queryKey: ['outgoing'] })
    .flatMap(([[, conversationId], all = none]) =>
      all.flatMap(({ state, ref, text, files, next, seen }) =>
        state === 'sent' ? [] : [{ conversationId, ref, text, files, next, seen }],
      ),
    )
    .slice(0, keptAtMost);
  keep('unsent', value.length === 0 ? undefined : { userId: keptOf, value });
};

/**
 * Sends the replies that were under way, or could not be sent, when the page was reloaded or the session ended by itself. Each has its `ref`, so that none is sent twice, and what was
 * refused before is refused again.
 */
export const sendKept = (userId: string): void => {
  if (queryClient.getQueryData<string>(keptOfKey) === userId) return;
  queryClient.setQueryData(keptOfKey, userId);
  const kept = readKept('unsent', userId);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this page has written it
  for (const { next, ...one } of Array.isArray(kept) ? (kept as Kept[]) : [])
    void send({ ...one, ...(next !== undefined && { next }) });
};

const read = (conversationId: string): readonly Outgoing[] =>
  queryClient.getQueryData<readonly Outgoing[]>(keyOf(conversationId)) ?? none;

const change = (conversationId: string, by: (before: readonly Outgoing[]) => readonly Outgoing[]): void => {
  const after = by(read(conversationId));
  if (after.length === 0) queryClient.removeQueries({ queryKey: keyOf(conversationId), exact: true });
  else queryClient.setQueryData(keyOf(conversationId), after);
  keepAll();
};

const put = (conversationId: string, message: Outgoing): void =>
  change(conversationId, (before) =>
    before.some(({ ref }) => ref === message.ref)
      ? before.map((one) => (one.ref === message.ref ? message : one))
      : [...before, message],
  );

/** Takes a reply out that its author does not want to send. */
export const dropOutgoing = (conversationId: string, ref: string): void =>
  change(conversationId, (before) => before.filter((one) => one.ref !== ref));

/** The replies that the thread does not show yet, in the order in which they were written. */
export const useOutgoing = (
  conversationId: string,
  messages: readonly Schemas['Message'][] | undefined,
): readonly Outgoing[] => {
  const subscribe = useCallback((listener: () => void) => queryClient.getQueryCache().subscribe(listener), []);
  const all = useSyncExternalStore(subscribe, () => read(conversationId));
  const shown = useMemo(() => new Set(messages?.map(({ client_ref: ref }) => ref)), [messages]);
  // Those that were sent before the thread was opened are in it, maybe further back than it is loaded.
  useEffect(() => dropSent(conversationId, () => true), [conversationId]);
  const hasShown = all.some(({ state, ref }) => state === 'sent' && shown.has(ref));
  useEffect(() => {
    if (hasShown) dropSent(conversationId, ({ ref }) => shown.has(ref));
  }, [conversationId, hasShown, shown]);
  return all.filter(({ ref }) => !shown.has(ref));
};

/** Takes out those of the replies that are sent. */
const dropSent = (conversationId: string, which: (one: Outgoing) => boolean): void => {
  const isGone = (one: Outgoing): boolean => one.state === 'sent' && which(one);
  if (read(conversationId).some((one) => isGone(one)))
    change(conversationId, (before) => before.filter((one) => !isGone(one)));
};

type Sending = {
  conversationId: string;
  text: string;
  files: readonly SentFile[];
  /** The revision that its author has seen. */
  seen: number;
  next?: Next | undefined;
  /** Of the reply that is sent once more. */
  ref?: string;
  /** Ends before it is sent. */
  after?: Promise<unknown>;
};

/**
 * Shows a reply at once, and sends it behind those of the conversation that are on their way, so that they come in the order in which they were written.
 * Sending it again by its `ref` is harmless. It is never sent, nor shown, in the session of another user.
 */
export const send = ({
  conversationId,
  text,
  files,
  seen,
  next,
  ref = `inbox-${newRandomId()}`,
  after,
}: Sending): Promise<void> => {
  const message = { ref, text, files, next, seen, at: new Date().toISOString() };
  const author = findUserId();
  const hasAnother = (): boolean => ![author, undefined].includes(findUserId());
  put(conversationId, { ...message, state: 'sending' });
  return inLine(conversationId, async () => {
    try {
      await after;
      await insist(window, async () => {
        if (hasAnother()) return;
        await client.POST('/conversations/{id}/messages', {
          params: { path: { id: conversationId } },
          body: {
            text,
            client_ref: ref,
            seen_revision: seen,
            ...(files.length > 0 && { attachments: files.map(({ id }) => ({ media_id: id })) }),
            ...(next !== undefined && { next }),
          },
        });
      });
      if (hasAnother()) return;
      put(conversationId, { ...message, state: 'sent' });
      // Also where there is no stream, the thread shows it now.
      tellGap();
      void queryClient.invalidateQueries({ queryKey: draftKey(conversationId, 'reply') });
      void invalidate('/conversations', '/inbox', '/handovers', '/contacts');
      if (next !== undefined) void sayWhetherItStays(conversationId);
    } catch (error) {
      if (hasAnother()) return;
      const answer = error instanceof ApiFailure && error.code === 'answered_meanwhile' ? error.answer : undefined;
      put(conversationId, answer ? { ...message, state: 'crossed', answer } : { ...message, state: 'failed', error });
    }
  });
};

/** Says that a conversation was neither closed nor snoozed, because its contact wrote while the reply was on its way. */
const sayWhetherItStays = async (id: string): Promise<void> => {
  try {
    const { data } = await client.GET('/conversations/{id}', { params: { path: { id } } });
    if (data?.status === 'open' && data.snoozed_until === null)
      showDone({ message: words.composer.staysOpen, how: 'in_part' });
  } catch {
    // The list shows it as well.
  }
};
