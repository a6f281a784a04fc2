import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';

/** Files of the dashboard but its words, by path. */
const sources = new Map(
  globSync('src/web/**/*.{ts,tsx}', { exclude: ['src/web/words/en/**', '**/*.gen.d.ts'] }).map((file) => [
    file,
    readFileSync(file, 'utf8'),
  ]),
);

const allOf = (source: string, pattern: RegExp): string[] =>
  [...source.matchAll(pattern)].map(([, found = '']) => found);

const quoted = (list: string): string[] => allOf(list, /'([^']+)'/g);

/** The nouns whose words a file says: those of its hooks, and those that it names in front of a word. */
const nounsSaidIn = (source: string): string[] => [
  ...allOf(source, /useTranslation\(([^)]*)\)/g).flatMap(quoted),
  ...allOf(source, /\b(?:t|say)\(\s*['"`](\w+):/g),
];

/** The nouns whose words a file adds when it is loaded. */
const nounsAddedIn = (source: string): string[] =>
  allOf(source, /^addWords\(\{([^}]*)\}\)/gm).flatMap((list) => list.split(',').map((noun) => noun.trim()));

/** A file and all that it imports, also later. */
const loadedWith = (entry: string, loaded = new Set<string>()): Set<string> => {
  const source = sources.get(entry);
  if (source === undefined || loaded.has(entry)) return loaded;
  loaded.add(entry);
  for (const path of allOf(source, /(?:^import\s(?:[^'";]*?\sfrom\s)?|\bimport\()'(\.[^']+)'/gm))
    loadedWith(normalize(join(dirname(entry), path)), loaded);
  return loaded;
};

test('each page comes with the words that it says', () => {
  const nounsOfPages = new Set([...sources.values()].flatMap(nounsAddedIn));
  const entries = allOf(sources.get('src/web/pages.ts') ?? '', /import\('\.\/([^']+)'\)/g);
  expect(nounsOfPages.size).toBeGreaterThan(5);
  expect(entries.length).toBeGreaterThan(30);
  const speechless = entries.flatMap((page) => {
    const loaded = Array.from(loadedWith(`src/web/${page}`), (file) => sources.get(file) ?? '');
    const added = new Set(loaded.flatMap(nounsAddedIn));
    const said = new Set(loaded.flatMap(nounsSaidIn).filter((noun) => nounsOfPages.has(noun)));
    return [...said].filter((noun) => !added.has(noun)).map((noun) => `${page} says words of ${noun}`);
  });
  expect(speechless).toEqual([]);
});

type Words = { [key: string]: string | string[] | Words };
const words: z.ZodType<Words> = z.record(z.string(), z.union([z.string(), z.array(z.string()), z.lazy(() => words)]));

/** The keys of all words, without the endings of numbers. */
const keysOf = (said: Words, above = ''): string[] =>
  Object.entries(said).flatMap(([key, word]) =>
    typeof word === 'string' || Array.isArray(word)
      ? [`${above}${key.replace(/_(one|other)$/, '')}`]
      : keysOf(word, `${above}${key}.`),
  );

/** Words whose keys are values of the API, which no source names. */
const saidByValue = ['runs:open', 'runs:pending'];

test('no word is kept that nothing says', async () => {
  const unsaid: string[] = [];
  for (const file of globSync('src/web/words/en/*.ts', { exclude: ['**/{index,of-pages}.ts'] })) {
    const exported = z.record(z.string(), words).parse(await import(pathToFileURL(file).href));
    for (const [noun, said] of Object.entries(exported)) {
      const users = [...sources.values()].filter((source) => nounsSaidIn(source).includes(noun)).join('\n');
      const named = new Set(allOf(users, new RegExp(`['"](?:${noun}:)?([\\w.]+)['"]`, 'g')));
      const begun = allOf(users, new RegExp(`\`(?:${noun}:)?([\\w.]+\\.)\\$\\{`, 'g'));
      const left = keysOf(said).filter((key) => !named.has(key) && !begun.some((start) => key.startsWith(start)));
      unsaid.push(...new Set(left.map((key) => `${noun}:${key}`)));
    }
  }
  expect(unsaid.toSorted()).toEqual(saidByValue);
});
