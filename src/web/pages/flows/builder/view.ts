import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';

/** How the blocks of a draft are shown. */
export const views = ['drawing', 'list'] as const;

export type View = (typeof views)[number];

const key = 'parley-builder-view';

const readView = (): View | undefined => {
  try {
    const kept = localStorage.getItem(key);
    return views.find((view) => view === kept);
  } catch {
    return undefined;
  }
};

/** How this browser shows blocks: as was chosen last, else narrow screens begin with the list. */
export const useView = (): [view: View, setView: (view: View) => void] => {
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const [chosen, setChosen] = useState(readView);
  const choose = (view: View): void => {
    setChosen(view);
    try {
      localStorage.setItem(key, view);
    } catch {
      // A browser that keeps nothing begins as before.
    }
  };
  return [chosen ?? (isNarrow ? 'list' : 'drawing'), choose];
};
