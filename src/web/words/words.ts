import { use as useIn } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { config } from 'zod/mini';
import { sayIssue } from '../../shared/platform/say-issue.ts';
import { failures } from './en/failures.ts';
import type { en } from './en/index.ts';
import { nav } from './en/nav.ts';
import type { WordsOfPages } from './en/of-pages.ts';
import { session } from './en/session.ts';
import { shell } from './en/shell.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: typeof en & WordsOfPages;
  }
}

/** What is needed before a page is: everything that a browser loads first is waited for. */
const first = { failures, nav, session, shell };

const words = useIn(initReactI18next);

// React escapes what it shows.
void words.init({
  lng: 'en',
  defaultNS: 'shell',
  ns: Object.keys(first),
  resources: { en: first },
  interpolation: { escapeValue: false },
});

// What is wrong with a field is told in the words of the API, whichever of the two has found it.
config({ customError: sayIssue });

/** The words that several pages share, which are loaded beside the first page of who is signed in. */
export const loadWords = async (): Promise<void> => {
  const { en } = await import('./en/index.ts');
  for (const [noun, ofNoun] of Object.entries(en)) words.addResourceBundle('en', noun, ofNoun);
};
