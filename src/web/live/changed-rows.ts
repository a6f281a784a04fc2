import type { components } from '../api/paths.gen.d.ts';
import { placeOf } from './place.ts';

type Changes = components['schemas']['Changes'];
type Row = { id: string; revision: number };

/** Reads the changes of a conversation after a revision. */
type ReadChanges = (after: number) => Promise<Changes>;

/** What a reading came to: `again` says that the lists are to be read again, because too much has changed, or the conversation is an older one. */
type Caught = { conversation: Changes['conversation']; again: boolean };

/** The most readings one after the other, and the most rows that are kept beside the lists. */
const readingsAtMost = 5;
const rowsAtMost = 1_000;

/** The changes of a conversation since its lists were read: what has come and changed, by revision. */
export type ChangedRows = {
  revision: () => number;
  /** Reads on from its revision. One reading at a time: whoever asks meanwhile has another one made after it. */
  catchUp: (read: ReadChanges) => Promise<Caught | undefined>;
  /** Rows of a list, which are newest first, with what has changed. Rows that a further page of the list will bring stay out. */
  merge: <Kind extends 'messages' | 'notes' | 'acts'>(
    kind: Kind,
    rows: readonly Changes[Kind][number][],
    isWhole: boolean,
  ) => Changes[Kind][number][];
  /** The same of rows that are all there between two places; an end that is not given is open. */
  mergeWithin: <Kind extends 'messages' | 'notes' | 'acts'>(
    kind: Kind,
    rows: readonly Changes[Kind][number][],
    span: { from: string | undefined; to: string | undefined },
  ) => Changes[Kind][number][];
};

export const createChangedRows = (from: number): ChangedRows => {
  let revision = from;
  let changed = emptyRows();
  let isReading = false;
  let isAsked = false;

  const put = <Kind extends 'messages' | 'notes' | 'acts'>(kind: Kind, rows: Changes[Kind]): void => {
    const known: Map<string, Row> = changed[kind];
    for (const row of rows) if ((known.get(row.id)?.revision ?? -1) < row.revision) known.set(row.id, row);
  };

  const startAnew = (at: number): void => {
    revision = at;
    changed = emptyRows();
  };

  const read = async (readChanges: ReadChanges): Promise<Caught> => {
    for (let readings = 1; ; readings += 1) {
      const after = revision;
      const answer = await readChanges(after);
      const { conversation } = answer;
      const size = changed.messages.size + changed.notes.size + changed.acts.size;
      if (answer.revision < after || (answer.has_more && readings === readingsAtMost) || size > rowsAtMost) {
        startAnew(conversation.revision);
        return { conversation, again: true };
      }
      put('messages', answer.messages);
      put('notes', answer.notes);
      put('acts', answer.acts);
      revision = answer.revision;
      if (!answer.has_more && !isAsked) return { conversation, again: false };
      isAsked = false;
    }
  };

  return {
    revision: () => revision,
    catchUp: async (readChanges) => {
      if (isReading) {
        isAsked = true;
        return undefined;
      }
      isReading = true;
      try {
        return await read(readChanges);
      } finally {
        isReading = false;
        isAsked = false;
      }
    },
    merge: (kind, rows, isWhole) => {
      const oldest = isWhole ? undefined : rows.at(-1)?.id;
      const of: ReadonlyMap<string, Changes[typeof kind][number]> = changed[kind];
      return mergeRows(of, rows, ({ id }) => oldest === undefined || id > oldest);
    },
    mergeWithin: (kind, rows, { from = '', to }) => {
      const of: ReadonlyMap<string, Changes[typeof kind][number]> = changed[kind];
      return mergeRows(of, rows, ({ id }) => placeOf(id) > from && (to === undefined || placeOf(id) <= to));
    },
  };
};

/** Rows, newest first, with those that have changed; others come in where they belong. */
const mergeRows = <Kind extends Row>(
  changed: ReadonlyMap<string, Kind>,
  rows: readonly Kind[],
  belongs: (row: Kind) => boolean,
): Kind[] => {
  if (changed.size === 0) return [...rows];
  const merged = new Map(rows.map((row) => [row.id, row]));
  for (const row of changed.values()) {
    const known = merged.get(row.id);
    if (known ? known.revision <= row.revision : belongs(row)) merged.set(row.id, row);
  }
  // Ids sort by the time at which they were made.
  return [...merged.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1));
};

const emptyRows = () => ({
  messages: new Map<string, Changes['messages'][number]>(),
  notes: new Map<string, Changes['notes'][number]>(),
  acts: new Map<string, Changes['acts'][number]>(),
});
