import { expect, test } from 'vitest';
import { listButtons, listTexts, type Said } from './helpers/words-of-pages.ts';

const show = ({ file, path, text }: Said): string => `${file} ${path}: ${text}`;

const texts = await listTexts();

test('no text of a page opens with "it", "what", "who" or another word that hides the actor', () => {
  expect(texts.length).toBeGreaterThan(900);
  const hides = /^(It|Its|What|Who|Whoever|Whatever|Those|There (is|are|was)) /;
  expect(texts.filter(({ text }) => hides.test(text)).map(show)).toEqual([]);
});

test('a hint of a page has at most 90 characters, and any other text at most 250', () => {
  const isHint = ({ path }: Said): boolean => /(?:hint|description)$/i.test(path) || /Hints\.\w+$/.test(path);
  expect(texts.filter(isHint).length).toBeGreaterThan(100);
  const tooLong = texts.filter((said) => said.text.length > (isHint(said) ? 90 : 250));
  expect(tooLong.map(show)).toEqual([]);
});

/** What the field calls otherwise, and British spellings. */
const others =
  /\b(enrol|enrols|mend(ed)?|consents?|whoever|somebody|nobody|people|taken back|under way|in force|third[ -]party|the present|colour)\b|\b(Ids?|url|try \d)\b(?!})/i;

test('texts of pages have one word for one thing, spelled as Americans do', () => {
  // Names of headers, values that are put in, and the right spelling of what else is wrong.
  const plain = (text: string): string => text.replaceAll(/webhook-id|\$\{[^}]*\}|\bIDs?\b|\bURLs?\b/g, '');
  expect(texts.filter(({ text }) => others.test(plain(text))).map(show)).toEqual([]);
});

/** Words that buttons begin with. */
const verbs = new Set(
  `Accept Add Apply Archive Assign Block Cancel Change Check Choose Clear Close Copy Create Delete Disable Discard Dismiss Done Download Edit End Enroll Export
  Fit Format Give Hand Hide Import Invite Keep Leave Load Make Mark Open Overwrite Paste Pause Publish Re-enable Refresh Reload Remove Rename Reopen Replace Replay Request
  Reset Resolve Restore Resume Retry Revoke Rotate Run Save See Select Send Set Share Show Sign Skip Snooze Start Stay Stop Subscribe Tag Take Try Unarchive Unblock Undo
  Unsubscribe Use Verify Withdraw`.split(/\s+/),
);

/** Nouns: what opens a menu is named after what is in it, and an item of a menu may be one of several values. */
const nouns = new Set([
  'commonWords.anyTime',
  'commonWords.filters',
  'commonWords.lately',
  'listWords.columns',
  'words.more',
  'words.pauses.hour',
  'words.pauses.day',
  'words.pauses.week',
  'words.pauses.month',
  'words.pauseUntil',
  'words.profile',
  'words.schemes.light',
  'words.schemes.dark',
  'words.schemes.auto',
]);

test('a button of a page begins with a verb and has at most three words', async () => {
  const buttons = await listButtons();
  expect(buttons.length).toBeGreaterThan(120);
  const isPlain = ({ path, text }: Said): boolean => {
    const said = text.replace(/ …$/, '').split(' ');
    return nouns.has(path) || (said.length <= 3 && verbs.has(said[0] ?? ''));
  };
  expect(buttons.filter((said) => !isPlain(said)).map(show)).toEqual([]);
});
