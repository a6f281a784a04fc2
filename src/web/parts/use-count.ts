import { api } from '../api/client.ts';
import type { paths } from '../api/paths.gen.d.ts';
import type { List } from './use-list.ts';

type CountPath = Extract<keyof paths, `${string}/count`>;

type FiltersOf<Path extends CountPath> = NonNullable<paths[Path]['get']['parameters']['query']>;

/** How many rows a list has; `more`: it has more than `count`. */
export type CountOfRows = { count: number; more: boolean };

/** How many rows a list has by its filters. Undefined while it is not known; a list that is all loaded is not asked for. */
export const useCount = <Path extends CountPath>(
  path: Path,
  { rows, more }: List<unknown>,
  filters: FiltersOf<Path>,
): CountOfRows | undefined => {
  const isLoaded = rows !== undefined && more === undefined;
  const countPath: CountPath = path;
  const { data } = api.useQuery(
    'get',
    countPath,
    { params: { query: filters } },
    { enabled: rows !== undefined && !isLoaded },
  );
  return isLoaded ? { count: rows.length, more: false } : data;
};
