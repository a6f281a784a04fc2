import { useMemo } from 'react';
import { api } from '../../../api/client.ts';
import { sayCapped } from '../../../parts/say-capped.ts';

/** Runs are counted up to this many; it means that many or more. */
const cap = 10_001;

/** How many runs are at each block of a flow now, as it is told: "12", "10,000+". */
export const useCounts = (flowId: string): ReadonlyMap<string | null, string> => {
  const { data } = api.useQuery('get', '/flows/{id}/counts', { params: { path: { id: flowId } } });
  return useMemo(
    () =>
      new Map(
        data?.blocks.map(({ block_id: id, running, waiting }) => [id, sayCapped(running + waiting, cap)] as const),
      ),
    [data],
  );
};
