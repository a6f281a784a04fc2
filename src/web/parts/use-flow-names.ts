import { useList } from './use-list.ts';

/** The flows of the account by name, as far as two hundred of them; of others the end of their id stands for it. */
export const useFlowNames = (): { flows: { id: string; name: string }[]; nameOf: (id: string) => string } => {
  const { rows = [] } = useList('/flows', { limit: 200 });
  const flows = rows.map(({ id, name }) => ({ id, name }));
  const names = new Map(flows.map(({ id, name }) => [id, name]));
  return { flows, nameOf: (id) => names.get(id) ?? `…${id.slice(-6)}` };
};
