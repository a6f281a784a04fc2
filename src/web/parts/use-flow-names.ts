import { useMemo } from 'react';
import { useList } from './use-list.ts';

/** The flows of the account by name, as far as two hundred of them; of others the end of their id stands for it. */
export const useFlowNames = ({ status }: { status?: 'live' } = {}): {
  flows: { id: string; name: string }[];
  nameOf: (id: string) => string;
} => {
  const { rows } = useList('/flows', { query: { ...(status && { status }) }, limit: 200 });
  return useMemo(() => {
    const flows = (rows ?? []).map(({ id, name }) => ({ id, name }));
    const names = new Map(flows.map(({ id, name }) => [id, name]));
    return { flows, nameOf: (id) => names.get(id) ?? `…${id.slice(-6)}` };
  }, [rows]);
};
