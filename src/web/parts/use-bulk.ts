import { useRef } from 'react';
import { invalidate } from '../api/query-client.ts';
import type { Schemas } from '../api/client.ts';
import { listWords } from '../words/lists.ts';
import { showDone } from './show-done.tsx';
import { useSending } from './use-sending.ts';
import type { Selection } from './use-selection.ts';

type Outcome = Schemas['BulkResult']['data'][number];

/** As many as the API takes at once. */
const atOnce = 100;

/** What a bulk operation is asked. */
export type Asked<Fields> = { body: Fields & { ids: string[] }; params: { header: { 'Idempotency-Key': string } } };

/** Sends a request for up to a hundred ids. */
type Request<Fields> = (asked: Asked<Fields>) => Promise<{ data?: Schemas['BulkResult'] }>;

/** Ids that are asked for together, under one key. */
type Batch = { ids: string[]; key: string };

type Action<Fields> = {
  request: Request<Fields>;
  /** Says that it is done to so many. */
  done: (count: number, fields: Fields) => string;
  /** The paths of what it changes. */
  changes: readonly string[];
};

/** Takes an action back from those that it has changed. */
type Undo = (changed: string[]) => Promise<Outcome[]>;

/** Does something to the selected rows, a hundred at a time, and tells what became of them. The refused ones stay selected. */
export const useBulk = <Fields extends object>(selection: Selection, { request, done, changes }: Action<Fields>) => {
  const { isSending, send } = useSending();
  const unanswered = useRef<{ asked: string; batches: readonly Batch[] }>({ asked: '', batches: [] });
  const act = (fields: Fields, undo?: Undo): Promise<void> =>
    send(async () => {
      const { selected } = selection;
      const asked = JSON.stringify(fields);
      // An answer that was lost may have been a good one: the same ids go under the same key again.
      const again =
        unanswered.current.asked === asked
          ? unanswered.current.batches.filter(({ ids }) => ids.every((id) => selected.has(id)))
          : [];
      const known = new Set(again.flatMap(({ ids }) => ids));
      const batches = [...again, ...batchesOf([...selected].filter((id) => !known.has(id)))];
      const outcomes: Outcome[] = [];
      let answered = 0;
      try {
        for (const batch of batches) {
          outcomes.push(...(await sendBatch(request, fields, batch)));
          answered += 1;
        }
      } finally {
        unanswered.current = { asked, batches: batches.slice(answered) };
        selection.remove(idsWith(outcomes, 'done', 'unchanged'));
        const changed = idsWith(outcomes, 'done');
        const takeBack = async (): Promise<void> => {
          const left = sayLeft(await (undo?.(changed) ?? []));
          if (left.length > 0) showDone({ message: listWords.undoneInPart, more: left.join(' '), how: 'in_part' });
          await invalidate(...changes);
        };
        if (outcomes.length > 0)
          tell(outcomes, { message: done(changed.length, fields), undo: undo && changed.length > 0 && takeBack });
        await invalidate(...changes);
      }
    });
  return { isSending, act };
};

/** Does something to these ids, a hundred at a time. */
export const changeAll = async <Fields extends object>(
  request: Request<Fields>,
  fields: Fields,
  ids: readonly string[],
): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (const batch of batchesOf(ids)) outcomes.push(...(await sendBatch(request, fields, batch)));
  return outcomes;
};

const batchesOf = (ids: readonly string[]): Batch[] => {
  const batches: Batch[] = [];
  for (let from = 0; from < ids.length; from += atOnce)
    batches.push({ ids: ids.slice(from, from + atOnce), key: newKey() });
  return batches;
};

/** Also where the page is not served over HTTPS, which `randomUUID` needs. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const sendBatch = async <Fields extends object>(
  request: Request<Fields>,
  fields: Fields,
  { ids, key }: Batch,
): Promise<Outcome[]> => {
  const { data } = await request({ body: { ...fields, ids }, params: { header: { 'Idempotency-Key': key } } });
  return data?.data ?? [];
};

const idsWith = (outcomes: readonly Outcome[], ...wanted: Outcome['outcome'][]): string[] =>
  outcomes.filter(({ outcome }) => wanted.includes(outcome)).map(({ id }) => id);

/** What was not done, and why. */
const sayLeft = (outcomes: readonly Outcome[]): string[] => {
  const reasons = new Map<string, number>();
  for (const { error } of outcomes) if (error) reasons.set(error.message, (reasons.get(error.message) ?? 0) + 1);
  const notReached = idsWith(outcomes, 'not_reached').length;
  return [
    ...[...reasons].map(([why, count]) => listWords.refused({ count, why })),
    ...(notReached > 0 ? [listWords.notReached(notReached)] : []),
  ];
};

const tell = (
  outcomes: readonly Outcome[],
  { message, undo }: { message: string; undo: (() => Promise<void>) | false | undefined },
): void => {
  const left = sayLeft(outcomes);
  const unchanged = idsWith(outcomes, 'unchanged').length;
  const more = [...left, ...(unchanged > 0 ? [listWords.unchanged(unchanged)] : [])];
  showDone({
    message,
    ...(more.length > 0 && { more: more.join(' ') }),
    ...(undo && { undo }),
    how: left.length > 0 ? 'in_part' : 'wholly',
  });
};
