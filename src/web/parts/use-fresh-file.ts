import { api, type Schemas } from '../api/client.ts';

type File = Extract<Schemas['Attachment'], { url: string }>;

/** Links hold for an hour at least, and for 75 minutes at most. */
const [freshMs, longestMs] = [45 * 60_000, 75 * 60_000] as const;

/** When a link was made, at the earliest; undefined for one that does not expire. */
const madeAt = (url: string): number | undefined => {
  const expires = /[?&]expires=(\d{1,12})(?:&|$)/.exec(url)?.[1];
  return expires === undefined ? undefined : Number(expires) * 1_000 - longestMs;
};

/** A file with links that hold for as long as a page shows it: agents have a conversation open for hours. */
export const useFreshFile = (file: File): File => {
  const made = madeAt(file.url);
  const { data = file } = api.useQuery(
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
  return data;
};
