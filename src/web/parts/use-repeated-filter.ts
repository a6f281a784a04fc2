import { useSearchParams } from 'react-router';

/** A filter that may be given several times, which the url holds as `useFilters` has the others. */
export const useRepeatedFilter = (name: string): [values: string[], setValues: (values: readonly string[]) => void] => {
  const [params, setParams] = useSearchParams();
  const setValues = (values: readonly string[]): void =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete(name);
        for (const value of values) next.append(name, value);
        return next;
      },
      { replace: true },
    );
  return [params.getAll(name), setValues];
};
