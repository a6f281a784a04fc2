import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useState, type ReactNode } from 'react';

const FindAnything = lazy(async () => ({ default: (await import('./find-anything.tsx')).FindAnything }));

/** Finds a page or a contact, by a button or Ctrl+K. Its code comes with the first time, and listens to the keys by itself from then on. */
export const useFinder = (): { find: () => void; finder: ReactNode } => {
  const [isWanted, setWanted] = useState(false);
  const find = (): void => {
    setWanted(true);
    if (isWanted) void import('@mantine/spotlight').then(({ spotlight }) => spotlight.open());
  };
  useHotkeys(isWanted ? [] : [['mod+K', find]], []);
  return {
    find,
    finder: isWanted && (
      <Suspense fallback={null}>
        <FindAnything />
      </Suspense>
    ),
  };
};
