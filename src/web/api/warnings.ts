import { skipToken, useQuery } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

/** What the answer to a write warned of: the field, and what is odd about it. In a flow also the block, and what helps. */
export type Warning = { path: string; message: string; block_id?: string | null; hint?: string | null; code?: string };

const keyOf = (id: string) => ['warnings', id] as const;

// Only the answer to a write has warnings: what is forgotten here cannot be asked for.
queryClient.setQueryDefaults(['warnings'], { gcTime: Infinity, staleTime: Infinity });

/**
 * Keeps what the answer to a write warned of until it is dismissed, the fields that warn are written again, or the session ends. `written` has the
 * fields of a change; all fields when not given.
 */
export const keepWarnings = (id: string, warnings: readonly Warning[] = [], written?: object): void =>
  void queryClient.setQueryData<readonly Warning[]>(keyOf(id), (earlier = []) => [
    ...earlier.filter(({ path }) => written !== undefined && !(path in written)),
    ...warnings,
  ]);

/** What is kept for a thing, and what dismisses it. */
export const useWarnings = (id: string): { warnings: readonly Warning[]; dismiss: () => void } => {
  const { data = [] } = useQuery<readonly Warning[]>({ queryKey: keyOf(id), queryFn: skipToken });
  return { warnings: data, dismiss: () => keepWarnings(id) };
};
