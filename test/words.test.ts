import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

/** The paths of all words, by the keys that lead to them. */
const pathsOf = (words: object, above: string): string[] =>
  Object.entries(words).flatMap(([key, word]: [string, unknown]) =>
    typeof word === 'object' && word !== null && !Array.isArray(word)
      ? pathsOf(word, `${above}.${key}`)
      : [`${above}.${key}`],
  );

/** The sources that import a file of words, with the name that it exports in the place of theirs. */
const findUsers = (file: string, exported: string): string[] => {
  const users: string[] = [];
  for (const source of globSync('src/web/**/*.{ts,tsx}')) {
    const text = readFileSync(source, 'utf8');
    for (const [, names = '', path = ''] of text.matchAll(/^import (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm)) {
      if (normalize(join(dirname(source), path)) !== file) continue;
      const [, local = exported] = new RegExp(`\\b${exported} as (\\w+)`).exec(names) ?? [];
      users.push(text.replaceAll(new RegExp(`\\b${local}\\b`, 'g'), exported));
    }
  }
  return users;
};

/** Whether a source says a word by its path, or takes the words around it by a key that is known only later. */
const isSaid = (path: string, sources: string): boolean => {
  const [root = '', ...keys] = path.split('.');
  return keys.some((key, depth) => {
    const above = [root, ...keys.slice(0, depth)].join('.');
    if (new RegExp(`${above}\\.${key}\\b(?!\\.)`).test(sources)) return true;
    return sources.includes(`${above}[`) && (depth > 0 || sources.includes(`'${key}'`));
  });
};

test('no word is kept that nothing says', async () => {
  const files = globSync('src/web/{pages/**/words,shell/words,words/*}.ts', { exclude: ['**/numbers.ts'] });
  expect(files.length).toBeGreaterThan(20);
  const parts = globSync('src/web/parts/*.tsx').map((source) => readFileSync(source, 'utf8'));
  const unsaid: string[] = [];
  for (const file of files) {
    const exported: object = await import(pathToFileURL(file).href);
    for (const [name, words] of Object.entries(exported)) {
      const users = findUsers(file, name);
      // A page may give its words to a part, which says some of them.
      const sources = [
        ...users,
        ...(users.some((text) => /words=\{(words|\{ \.\.\.words)\b/.test(text)) ? parts : []),
      ].join('\n');
      const left = pathsOf(words, name).filter((path) => !isSaid(path, sources));
      unsaid.push(...left.map((path) => `${file}: ${path}`));
    }
  }
  expect(unsaid).toEqual([]);
});

/** Phrases that were hard to read; those with quotes are whole words of a page. */
const oldPhrases = [
  'They end with a signed event at your endpoint',
  'have your endpoint consent',
  'over which contacts write',
  'failures of the last day, what is overdue',
  'failed in the last day',
  'a person: nobody has taken',
  'kept for it.',
  '`This page is for the role',
  "'There is no such page'",
  "'To the overview'",
  "'This page broke'",
  "'Load it again'",
  "'You are not signed in'",
  'E-mail address or password is wrong',
  'It failed by itself',
  'Your endpoint consented',
  'your endpoint is sent a challenge',
  'It begins with https://',
  'Also those that later versions bring',
  'Whatever you call them on this channel',
  'Hand in what contacts write',
  'The same message_id again',
  'messages count as sent',
  "'Made'",
  "'Ended or next'",
  "'Lately'",
  "'With others'",
  'Nobody whose name, e-mail or phone begins so',
  'Deliveries that are sent again in bulk',
  'All that may be sent to',
  "beside its daily traffic'",
  'takes force when it has passed',
  'Mend the endpoint first',
  'What came of it:',
  'is really asked',
  'They stand in the place of',
  'Contacts who enter from now on',
  "'What is wrong with it'",
  'Nothing: it can be published',
  'It is checked as you type',
  'Ctrl and the wheel',
  "'Larger'",
  "'Smaller'",
  "'Show all of it'",
  "'In force'",
  'Somebody else has changed the draft',
  'Take theirs',
  "'Save mine over it'",
  'Take back from the archive',
  'Have all failed runs',
  'Have all runs go on that failed',
  "'Look at it'",
  "'for an answer'",
  'left through the port',
  "Nobody knows'",
  'nobody knows whether the request',
  "'waits to speak'",
  'People were asked for',
  'Needs people',
  'A person is needed',
  'No flow talks to the contact until',
  'Flows may talk to this contact',
  "'What became of it'",
  'For your records',
  "'No flow is started by it'",
  'No link: its mail',
  'is in force with the user’s next request',
  'What contacts are sorted by',
  'A key that is not here',
  'have to be defined first',
  'All filters hold together',
  'Take off the tag',
  'One of them alone is replayed',
  'and answers 200 with that value.',
  'is publicly reachable.',
  'This cannot be taken back',
  'Nobody enters it',
  'Mend them',
  'before that is mended',
  'What is not given stays as it is',
  'leave this mail alone',
  'What became of it',
  'a person takes over',
  'Words that ask for a person',
  'In force at once',
];

test('no page, answer, mail, command or document says one of the phrases that were hard to read', () => {
  const files = globSync(['src/**/*.{ts,tsx}', 'scripts/*.{ts,mjs}', 'docs/*.md', 'README.md'], {
    exclude: ['**/*.gen.d.ts'],
  });
  const found = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return oldPhrases.filter((phrase) => text.includes(phrase)).map((phrase) => `${file}: ${phrase}`);
  });
  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});
