import { useCallback, useSyncExternalStore } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { isGivenUp, uploadFile } from '../../../api/upload.ts';
import type { SentFile } from './outgoing.ts';
import { attachmentsAtMost, largestOfAll } from '../../../../shared/media/limits.ts';

/** A file that the next reply takes along. `part` of it has gone, from 0 to 1. */
export type Attached = { key: string; name: string; size: number } & (
  | { state: 'uploading'; part: number; giveUp: () => void }
  | { state: 'ready'; media: SentFile }
  | { state: 'failed'; error: unknown }
  | { state: 'too_large' }
);

// Beside replies that are on their way: whoever looks at another conversation meanwhile finds them again.
const keyOf = (conversationId: string) => ['attached', conversationId] as const;
queryClient.setQueryDefaults(['attached'], { gcTime: Number.POSITIVE_INFINITY, staleTime: Number.POSITIVE_INFINITY });

const none: readonly Attached[] = [];

const read = (conversationId: string): readonly Attached[] =>
  queryClient.getQueryData<readonly Attached[]>(keyOf(conversationId)) ?? none;

const set = (conversationId: string, attached: readonly Attached[]): void => {
  if (attached.length === 0) queryClient.removeQueries({ queryKey: keyOf(conversationId), exact: true });
  else queryClient.setQueryData(keyOf(conversationId), attached);
};

const put = (conversationId: string, changed: Attached): void =>
  set(
    conversationId,
    read(conversationId).map((one) => (one.key === changed.key ? changed : one)),
  );

let files = 0;
const newKey = (): string => `file-${(files += 1)}`;

const upload = async (conversationId: string, file: File): Promise<void> => {
  const known = { key: newKey(), name: file.name, size: file.size };
  if (file.size > largestOfAll) return set(conversationId, [...read(conversationId), { ...known, state: 'too_large' }]);
  const giving = new AbortController();
  const uploading = { ...known, state: 'uploading', giveUp: () => giving.abort() } as const;
  set(conversationId, [...read(conversationId), { ...uploading, part: 0 }]);
  try {
    const onProgress = (part: number): void => put(conversationId, { ...uploading, part });
    const media = await uploadFile(file, { onProgress, signal: giving.signal });
    put(conversationId, { ...known, state: 'ready', media });
  } catch (error) {
    if (!isGivenUp(error)) put(conversationId, { ...known, state: 'failed', error });
  }
};

/** Takes a file out again; one that is on its way is given up. */
const remove = (conversationId: string, key: string): void => {
  const attached = read(conversationId);
  const removed = attached.find((one) => one.key === key);
  set(
    conversationId,
    attached.filter((one) => one !== removed),
  );
  if (removed?.state === 'uploading') removed.giveUp();
};

/** Files that were sent, of a reply that is edited again. */
export const attachAgain = (conversationId: string, media: readonly SentFile[]): void =>
  set(conversationId, [
    ...media.map((one) => ({ key: newKey(), name: one.name, size: one.size, state: 'ready' as const, media: one })),
    ...read(conversationId),
  ]);

/** The files of the next reply in a conversation: each is uploaded as it is added, as many as a message may have. */
export const useAttached = (conversationId: string) => {
  const subscribe = useCallback((listener: () => void) => queryClient.getQueryCache().subscribe(listener), []);
  const attached = useSyncExternalStore(subscribe, () => read(conversationId));
  const isFull = attached.length >= attachmentsAtMost;
  return {
    attached,
    isFull,
    isUploading: attached.some(({ state }) => state === 'uploading'),
    hasFailed: attached.some(({ state }) => state === 'failed' || state === 'too_large'),
    /** Those beyond what a message may have are left out. */
    add: (given: readonly File[]): void => {
      for (const file of given.slice(0, attachmentsAtMost - read(conversationId).length))
        void upload(conversationId, file);
    },
    remove: (key: string): void => remove(conversationId, key),
    /** The files that are sent now. */
    take: (): SentFile[] => {
      const ready = read(conversationId).flatMap((one) => (one.state === 'ready' ? [one.media] : []));
      set(conversationId, none);
      return ready;
    },
  };
};
