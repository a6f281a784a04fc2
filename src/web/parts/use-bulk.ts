import { useRef } from 'react';
import { invalidate } from '../api/query-client.ts';
import type { Schemas } from '../api/client.ts';
import { listWords } from '../words/lists.ts';
import { newRandomId } from './random-id.ts';
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

/** A request of an undo. Sent again, it goes under the same key. */
type Step = { ids: string[]; send: () => Promise<Outcome[]> };

/** How long, in ms, an action that is asked for again counts as the one whose answer was lost. */
const sameActionMs = 60_000;

type Action<Fields> = {
  request: Request<Fields>;
  /** Says that it is done to so many. */
  done: (count: number, fields: Fields) => string;
  /** The paths of what it changes. */
  changes: readonly string[];
  /** Says what an undo does not take back. */
  stays?: string;
};

/** The requests that take an action back from those that it has changed. */
type Undo = (changed: string[]) => Step[];

/** What was asked for and has no answer: of which choice of rows, since when, and how it is undone. */
type Unanswered = {
  asked: string;
  choice: number;
  atMs: number;
  batches: readonly (Batch & { undo: Undo | undefined })[];
};

/** Does something to the selected rows, a hundred at a time, and tells what became of them. The refused ones stay selected. */
export const useBulk = <Fields extends object>(
  selection: Selection,
  { request, done, changes, stays }: Action<Fields>,
) => {
  const { isSending, send } = useSending();
  const unanswered = useRef<Unanswered>(undefined);
  const act = (fields: Fields, undo?: Undo): Promise<void> =>
    send(async () => {
      const { selected, choice } = selection;
      const asked = JSON.stringify(fields);
      // An answer that was lost may have been a good one: the same ids go under the same key again.
      const before = unanswered.current;
      const isSame = before?.asked === asked && before.choice === choice && Date.now() - before.atMs < sameActionMs;
      const again = isSame ? before.batches.filter(({ ids }) => ids.every((id) => selected.has(id))) : [];
      const known = new Set(again.flatMap(({ ids }) => ids));
      const others = batchesOf([...selected].filter((id) => !known.has(id)));
      const batches = [...again, ...others.map((batch) => ({ ...batch, undo }))];
      const outcomes: Outcome[] = [];
      const steps: Step[] = [];
      let answered = 0;
      try {
        for (const batch of batches) {
          const data = await sendBatch(request, fields, batch);
          outcomes.push(...data);
          const changed = idsWith(data, 'done');
          if (batch.undo && changed.length > 0) steps.push(...batch.undo(changed));
          answered += 1;
        }
      } finally {
        unanswered.current = { asked, choice, atMs: Date.now(), batches: batches.slice(answered) };
        selection.remove(idsWith(outcomes, 'done', 'unchanged'));
        if (outcomes.length > 0)
          tell(outcomes, {
            message: done(idsWith(outcomes, 'done').length, fields),
            undo: steps.length > 0 && (() => takeBack(steps, { changes, stays })),
          });
        await invalidate(...changes);
      }
    });
  return { isSending, act };
};

/** The requests that do something to these ids, a hundred at a time. */
export const stepsOf = <Fields extends object>(
  request: Request<Fields>,
  fields: Fields,
  ids: readonly string[],
): Step[] => batchesOf(ids).map((batch) => ({ ids: batch.ids, send: () => sendBatch(request, fields, batch) }));

/** Takes an action back, tells what is left of it, and offers the undo again for what has no answer. Throws what stopped it. */
const takeBack = async (
  steps: readonly Step[],
  told: { changes: readonly string[]; stays: string | undefined },
): Promise<void> => {
  const outcomes: Outcome[] = [];
  let answered = 0;
  try {
    for (const { send } of steps) {
      outcomes.push(...(await send()));
      answered += 1;
    }
  } finally {
    const rest = steps.slice(answered);
    const silent = rest.reduce((count, { ids }) => count + ids.length, 0);
    const left = [...sayLeft(outcomes), ...(silent > 0 ? [listWords.undoUnanswered(silent)] : [])];
    const undone = left.length > 0 ? listWords.undoneInPart : listWords.undone;
    const isStaying = told.stays !== undefined && idsWith(outcomes, 'done').length > 0;
    const more = [...left, ...(isStaying ? [told.stays] : [])];
    if (more.length > 0)
      showDone({
        message: silent > 0 ? listWords.undoStopped : undone,
        more: more.join(' '),
        ...(silent > 0 && { undo: () => takeBack(rest, told) }),
        how: left.length > 0 ? 'in_part' : 'wholly',
      });
    await invalidate(...told.changes);
  }
};

const batchesOf = (ids: readonly string[]): Batch[] => {
  const batches: Batch[] = [];
  for (let from = 0; from < ids.length; from += atOnce)
    batches.push({ ids: ids.slice(from, from + atOnce), key: newRandomId() });
  return batches;
};

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
