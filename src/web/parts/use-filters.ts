import { useSearchParams } from 'react-router';

/** Filters of a page, which its url holds, so that it can be shared and gone back to. */
export const useFilters = <Name extends string>(
  names: readonly Name[],
): {
  filters: Partial<Record<Name, string>>;
  /** Sets some; an empty text or null takes a filter away. */
  setFilters: (changes: Partial<Record<Name, string | null>>) => void;
  isFiltered: boolean;
  /** Takes all of them away; undefined while there are none. */
  clear: (() => void) | undefined;
} => {
  const [params, setParams] = useSearchParams();
  const filters: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = params.get(name);
    if (value) filters[name] = value;
  }
  const setFilters = (changes: Partial<Record<Name, string | null>>): void =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const name of names) {
          const value = changes[name];
          if (value === undefined) continue;
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true },
    );
  const isFiltered = Object.keys(filters).length > 0;
  const nothing: Partial<Record<Name, null>> = {};
  for (const name of names) nothing[name] = null;
  return { filters, setFilters, isFiltered, clear: isFiltered ? () => setFilters(nothing) : undefined };
};
