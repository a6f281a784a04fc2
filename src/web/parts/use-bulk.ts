import { notifications } from '@mantine/notifications';
import { invalidate } from '../api/query-client.ts';
import type { Schemas } from '../api/client.ts';
import { listWords } from '../words/lists.ts';
import { useSending } from './use-sending.ts';
import type { Selection } from './use-selection.ts';

type Outcome = Schemas['BulkResult']['data'][number];

/** As many as the API takes at once. */
const atOnce = 100;

type Action = {
  /** Sends a request for up to a hundred ids. */
  request: (ids: string[]) => Promise<{ data?: Schemas['BulkResult'] }>;
  /** Says that it is done to so many. */
  done: (count: number) => string;
  /** The paths of what it changes. */
  changes: readonly string[];
};

/** Does something to the selected rows, a hundred at a time, and tells what became of them. The refused ones stay selected. */
export const useBulk = (selection: Selection) => {
  const { isSending, send } = useSending();
  const act = ({ request, done, changes }: Action): Promise<void> =>
    send(async () => {
      const ids = [...selection.selected];
      const outcomes: Outcome[] = [];
      try {
        for (let from = 0; from < ids.length; from += atOnce) {
          const { data } = await request(ids.slice(from, from + atOnce));
          outcomes.push(...(data?.data ?? []));
        }
      } finally {
        const ended = outcomes.filter(({ outcome }) => outcome === 'done' || outcome === 'unchanged');
        selection.remove(ended.map(({ id }) => id));
        if (outcomes.length > 0) tell(outcomes, done);
        await invalidate(...changes);
      }
    });
  return { isSending, act };
};

const tell = (outcomes: readonly Outcome[], done: Action['done']): void => {
  const countOf = (wanted: Outcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted).length;
  const reasons = new Map<string, number>();
  for (const { error } of outcomes) if (error) reasons.set(error.message, (reasons.get(error.message) ?? 0) + 1);
  const left = [...reasons].map(([why, count]) => listWords.refused({ count, why }));
  if (countOf('unchanged') > 0) left.push(listWords.unchanged(countOf('unchanged')));
  if (countOf('not_reached') > 0) left.push(listWords.notReached(countOf('not_reached')));
  notifications.show({
    title: done(countOf('done')),
    message: left.join(' '),
    color: reasons.size > 0 || countOf('not_reached') > 0 ? 'yellow' : 'green',
    autoClose: left.length > 0 ? 10_000 : 4_000,
  });
};
