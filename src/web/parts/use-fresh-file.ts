import { api, type Schemas } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';

type File = Extract<Schemas['Attachment'], { url: string }>;

/** Links hold for an hour at least, and for 75 minutes at most. */
const [freshMs, longestMs] = [45 * 60_000, 75 * 60_000] as const;

/** When a link was made, at the earliest; undefined for one that does not expire. */
const madeAt = (url: string): number | undefined => {
  const expires = /[?&]expires=(\d{1,12})(?:&|$)/.exec(url)?.[1];
  return expires === undefined ? undefined : Number(expires) * 1_000 - longestMs;
};

/**
 * A file with links that hold for as long as a page shows it: agents have a conversation open for hours. What cannot be shown is looked up by `lookUp`:
 * then `isGone` says whether it is stored no longer.
 */
export const useFreshFile = (file: File): File & { isGone: boolean; lookUp: () => void } => {
  const made = madeAt(file.url);
  const { data, error, refetch } = api.useQuery(
    'get',
    '/media/{id}',
    { params: { path: { id: file.id } } },
    {
      enabled: made !== undefined,
      initialData: { ...file, created_at: '' },
      initialDataUpdatedAt: made ?? 0,
      staleTime: freshMs,
      refetchInterval: freshMs,
      retry: false,
    },
  );
  const isGone = error instanceof ApiFailure && error.status === 404;
  return { ...(data ?? file), isGone, lookUp: () => void refetch() };
};
