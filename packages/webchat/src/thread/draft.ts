import type { Store } from '../store.ts';

/** What a visitor has typed and not sent yet, in this tab. */
export type Draft = {
  read: () => string;
  write: (text: string) => void;
};

/**
 * Keeps what is typed over reloads. What a stranger has typed is theirs, too, once the site has named them. What a person has typed is nobody else's,
 * also where they signed out in another tab while this one was between two pages. `who` is empty for a stranger.
 */
export const createDraft = (tab: Store, who: () => string): Draft => {
  const write = (text: string): void => {
    for (const key of tab.list('draft')) tab.remove(key);
    if (text !== '') tab.set(`draft:${who()}`, text);
  };
  return {
    write,
    read: () => {
      const text = tab.get(`draft:${who()}`) ?? tab.get('draft:') ?? '';
      write(text);
      return text;
    },
  };
};
