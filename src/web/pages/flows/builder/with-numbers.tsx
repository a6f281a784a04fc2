import { useMemo, type ReactNode } from 'react';
import { api } from '../../../api/client.ts';
import { NumbersContext } from '../drawing/numbers-context.ts';
import { useBuilder } from './builder-context.ts';

/** Has the blocks of a drawing show how runs went through them, while that is switched on. */
export const WithNumbers = ({ children }: { children: ReactNode }) => {
  const { flowId, showsNumbers } = useBuilder();
  const params = { path: { id: flowId } };
  const { data } = api.useQuery('get', '/flows/{id}/analytics', { params }, { enabled: showsNumbers });
  const shown = useMemo(() => {
    if (!showsNumbers || !data) return undefined;
    const blocks = new Map(data.blocks.map((block) => [block.block_id, block] as const));
    return {
      since: data.since_capped ? data.since : undefined,
      numbersAt: (id: string) => blocks.get(id),
      runsAt: (filter: { block?: string; status?: string }) =>
        `/flows/${flowId}?${new URLSearchParams({ tab: 'runs', ...filter }).toString()}`,
    };
  }, [flowId, showsNumbers, data]);
  return <NumbersContext value={shown}>{children}</NumbersContext>;
};
