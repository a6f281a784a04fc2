import { useEffect, useMemo, useState } from 'react';
import { client, type Schemas } from '../api/client.ts';
import { isTemporary } from '../api/failure.ts';
import { queryClient } from '../api/query-client.ts';
import { prefetchList, useList, type List } from '../parts/use-list.ts';
import { createChangedRows, type ChangedRows } from './changed-rows.ts';
import { partPath, useLookBack, type LookBack } from './look-back.ts';
import { onTalk } from './talks.ts';

/** How long after a reading that has failed it is made again, in ms. */
const againMs = 5_000;

const paths = {
  messages: '/conversations/{id}/messages',
  notes: '/conversations/{id}/notes',
  acts: '/conversations/{id}/acts',
} as const;

type Known = Pick<Schemas['Conversation'], 'id' | 'revision'>;

/** What a thread shows beside messages, and around which message it is read. */
type Shows = { notes?: boolean; acts?: boolean; around?: string | undefined };

export type Thread = {
  messages: List<Schemas['Message']>;
  notes: List<Schemas['Note']>;
  acts: List<Schemas['Act']>;
  /** Up to which revision all that has come is shown: while an earlier part is, nothing that comes. */
  revision: number;
  /** What is shown instead of the lists where the thread is read around a message. */
  back: LookBack | undefined;
};

const isOf =
  (path: string, id: string) =>
  ({ queryKey: [, asked, given] }: { queryKey: readonly unknown[] }): boolean =>
    asked === path && JSON.stringify(given ?? null).includes(`"${id}"`);

/** The most conversations of which is known since when their lists are here. */
const sinceAtMost = 500;

/** The revision that was known of a conversation when its lists were first read: what came after it is read as changes. By id, the latest last. */
const readSince = new Map<string, number>();

const readsLists = (id: string): boolean =>
  queryClient.getQueryCache().findAll({ predicate: isOf(paths.messages, id) }).length > 0;

/** From which revision on changes are read. Lists that are here, or on their way, may be older than the revision that is known by now. */
const begin = ({ id, revision }: Known): number => {
  const since = readsLists(id) ? (readSince.get(id) ?? 0) : revision;
  readSince.delete(id);
  readSince.set(id, Math.min(since, revision));
  const [oldest] = readSince.keys();
  if (oldest !== undefined && readSince.size > sinceAtMost) readSince.delete(oldest);
  return Math.min(since, revision);
};

const readLists = (id: string): Promise<void[]> =>
  Promise.all(
    [...Object.values(paths), partPath].map((path) => queryClient.invalidateQueries({ predicate: isOf(path, id) })),
  );

/**
 * The messages of a conversation, and its notes and acts where they are shown, each newest first. Its lists are read once, and from then on what has
 * changed after the revision that is here: nothing is missed and nothing comes twice, whatever the stream has lost. `conversation` was read before.
 */
export const useThread = (
  { id, revision }: Known,
  { notes: hasNotes = false, acts: hasActs = false, around }: Shows = {},
): Thread => {
  const [version, setVersion] = useState(0);
  // From the first revision on that was known of this conversation: that of a later one would leave out what comes in between.
  // oxlint-disable-next-line react/exhaustive-deps
  const changed = useMemo(() => createChangedRows(begin({ id, revision })), [id]);
  useEffect(() => follow(id, changed, () => setVersion((before) => before + 1)), [id, changed]);
  const back = useLookBack(id, around, { changed, version });
  // Of the rows that are shown: those of a reading that is under way are not.
  // oxlint-disable-next-line react/exhaustive-deps
  const read = useMemo(() => changed.revision(), [changed, version]);
  const [shown, setShown] = useState(read);
  if ((!back || back.isAtNewest) && shown !== read) setShown(read);
  return {
    messages: useMerged('messages', useList(paths.messages, { id }), changed, version),
    notes: useMerged('notes', useList(paths.notes, { id, isEnabled: hasNotes }), changed, version),
    acts: useMerged('acts', useList(paths.acts, { id, isEnabled: hasActs }), changed, version),
    revision: shown,
    back,
  };
};

/** Reads what a thread with notes and acts begins with, so that it is there when it is opened. */
export const prefetchThread = (conversation: Known): void => {
  begin(conversation);
  for (const path of Object.values(paths)) prefetchList(path, { id: conversation.id });
};

const useMerged = <Kind extends keyof typeof paths>(
  kind: Kind,
  list: List<Schemas['Changes'][Kind][number]>,
  changed: ChangedRows,
  version: number,
): List<Schemas['Changes'][Kind][number]> => {
  const { rows, more } = list;
  const isWhole = more === undefined;
  // oxlint-disable-next-line react/exhaustive-deps -- `changed` has other rows in each version
  const merged = useMemo(() => rows && changed.merge(kind, rows, isWhole), [kind, rows, isWhole, changed, version]);
  return { ...list, rows: merged };
};

/** Reads on whenever the stream says so. Answers what ends that. */
const follow = (id: string, changed: ChangedRows, show: () => void): (() => void) => {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = async (after: number): Promise<Schemas['Changes']> => {
    const { data } = await client.GET('/conversations/{id}/changes', { params: { path: { id }, query: { after } } });
    if (!data) throw new Error('the changes were not answered');
    return data;
  };
  const catchUp = async (): Promise<void> => {
    if (document.hidden || isOver) return;
    clearTimeout(timer);
    try {
      const caught = await changed.catchUp(read);
      if (!caught || isOver) return;
      const { conversation, again } = caught;
      queryClient.setQueriesData<Schemas['Conversation']>({ predicate: isOf('/conversations/{id}', id) }, (known) =>
        known && known.revision > conversation.revision && !again ? known : conversation,
      );
      if (again) await readLists(id);
      show();
    } catch (error) {
      // What is refused is refused again.
      if (isTemporary(error)) timer = setTimeout(() => void catchUp(), againMs);
    }
  };
  const end = onTalk((talk) => {
    if (talk === null || (talk.id === id && talk.revision > changed.revision())) void catchUp();
  });
  const catchUpIfShown = (): void => void catchUp();
  document.addEventListener('visibilitychange', catchUpIfShown);
  // The lists are of an earlier visit, were read ahead, or are read now: the revision that is known may be older than they, or newer.
  void catchUp();
  return () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', catchUpIfShown);
    end();
  };
};
