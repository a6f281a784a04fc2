import { useMemo, useRef, useState } from 'react';

/** Rows of a list that are selected, by their keys. */
export type Selection = {
  selected: ReadonlySet<string>;
  /** Another number each time that the user selects something else. Rows that leave the list are no such change. */
  choice: number;
  /** Selects a row or takes it out; `isRange`: also those between it and the one before. */
  toggle: (key: string, options?: { isRange?: boolean }) => void;
  add: (keys: readonly string[]) => void;
  /** Selects all rows of the list, or none where all are. */
  toggleAll: () => void;
  remove: (keys: readonly string[]) => void;
  clear: () => void;
};

/** What is selected among these rows: one that leaves the list leaves the selection. */
export const useSelection = (rows: readonly { id: string }[] | undefined): Selection => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [choice, setChoice] = useState(0);
  const choose = (keys: ReadonlySet<string>): void => {
    setChosen(keys);
    setChoice((before) => before + 1);
  };
  const last = useRef<string | undefined>(undefined);
  const selected = useMemo(
    () => new Set((rows ?? []).filter(({ id }) => chosen.has(id)).map(({ id }) => id)),
    [rows, chosen],
  );
  const between = (one: string, other: string): string[] => {
    const ids = (rows ?? []).map(({ id }) => id);
    const [from, to] = [ids.indexOf(one), ids.indexOf(other)].toSorted((a, b) => a - b);
    return from === undefined || to === undefined || from < 0 ? [other] : ids.slice(from, to + 1);
  };
  return {
    selected,
    choice,
    toggle: (key, { isRange = false } = {}) => {
      const keys = isRange && last.current !== undefined ? between(last.current, key) : [key];
      const isAdding = !selected.has(key);
      const next = new Set(selected);
      for (const one of keys) {
        if (isAdding) next.add(one);
        else next.delete(one);
      }
      last.current = key;
      choose(next);
    },
    add: (keys) => choose(new Set([...selected, ...keys])),
    toggleAll: () => choose(new Set(selected.size < (rows?.length ?? 0) ? (rows ?? []).map(({ id }) => id) : [])),
    remove: (keys) => setChosen((before) => new Set([...before].filter((key) => !keys.includes(key)))),
    clear: () => choose(new Set()),
  };
};
