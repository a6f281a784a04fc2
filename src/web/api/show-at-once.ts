import { queryClient } from './query-client.ts';

type Shown<Data extends object> = {
  /** The path of the API as queries have it, and the id in it. */
  path: string;
  id: string;
  /** What it is going to have. */
  change: (data: Data) => Partial<Data>;
  send: () => Promise<unknown>;
};

const isOf =
  (path: string, id: string) =>
  ({ queryKey: [, asked, given] }: { queryKey: readonly unknown[] }): boolean =>
    asked === path && JSON.stringify(given ?? null).includes(`"${id}"`);

/** Shows a change of one thing before it is sent, and what was there again where it is refused. Throws why. */
export const showAtOnce = async <Data extends object>({ path, id, change, send }: Shown<Data>): Promise<void> => {
  const filters = { predicate: isOf(path, id) };
  // An answer that is under way has not seen the change.
  await queryClient.cancelQueries(filters);
  const before = queryClient.getQueriesData<Data>(filters);
  queryClient.setQueriesData<Data>(filters, (data) => data && { ...data, ...change(data) });
  try {
    await send();
  } catch (error) {
    for (const [key, data] of before) queryClient.setQueryData(key, data);
    throw error;
  }
};
