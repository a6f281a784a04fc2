import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A text of the pages, and where it is. */
export type Said = { file: string; path: string; text: string };

/** A quoted text in the source of a function that puts values into it. */
const quoted = /(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;

const textsOf = (word: unknown, file: string, path: string): Said[] => {
  if (typeof word === 'string') return [{ file, path, text: word }];
  if (typeof word === 'function')
    return [...word.toString().matchAll(quoted)].map(([, , text = '']) => ({ file, path, text }));
  if (typeof word !== 'object' || word === null) return [];
  return Object.entries(word).flatMap(([key, below]) => textsOf(below, file, `${path}.${key}`));
};

/** The files of words, and what each exports. */
const loadWords = async (): Promise<{ file: string; exported: Record<string, unknown> }[]> => {
  const files = globSync('src/web/{pages/**/words,shell/words,words/*}.ts', { exclude: ['**/numbers.ts'] });
  return Promise.all(files.map(async (file) => ({ file, exported: await import(pathToFileURL(file).href) })));
};

/** All texts of the pages. */
export const listTexts = async (): Promise<Said[]> =>
  (await loadWords()).flatMap(({ file, exported }) =>
    Object.entries(exported).flatMap(([name, words]) => (typeof words === 'object' ? textsOf(words, file, name) : [])),
  );

const readAt = (words: unknown, keys: readonly string[]): unknown =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whatever is no object has no such key
  keys.reduce<unknown>((above, key) => (above as Record<string, unknown> | undefined)?.[key], words);

/** A word, or words of which a value chooses one. */
const isChoice = (word: unknown): boolean =>
  typeof word !== 'object' || word === null || Object.values(word).every((below) => typeof below === 'string');

/** What stands on buttons and in menus: children of their elements, and what forms and questions call their action. */
const onButtons = [
  /\{([^{}]*)\}\s*<\/(?:Button|Menu\.Item|RowAction)>/g,
  /\baction=\{([^{}]*)\}/g,
  /\b(?:action|keep): ([^{},]+),/g,
];

/** The texts of the buttons of the pages. */
export const listButtons = async (): Promise<Said[]> => {
  const loaded = new Map((await loadWords()).map(({ file, exported }) => [normalize(file), exported]));
  return globSync('src/web/**/*.tsx').flatMap((source) => {
    const code = readFileSync(source, 'utf8');
    const known = new Map<string, unknown>();
    for (const [, names = '', path = ''] of code.matchAll(/^import (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm)) {
      const exported = loaded.get(normalize(join(dirname(source), path)));
      for (const [, name = '', local = name] of names.matchAll(/(\w+)(?: as (\w+))?/g))
        if (exported?.[name]) known.set(local, exported[name]);
    }
    for (const [, local = '', root = '', keys = ''] of code.matchAll(/^const (\w+) = (\w+)((?:\.\w+)+);$/gm))
      if (known.has(root)) known.set(local, readAt(known.get(root), keys.slice(1).split('.')));
    return onButtons
      .flatMap((place) => [...code.matchAll(place)].map(([, shown = '']) => shown))
      .flatMap((shown) => [...shown.matchAll(/\b(\w+)((?:\.\w+)+)/g)])
      .flatMap(([path, root = '', keys = '']) => {
        const word = known.has(root) ? readAt(known.get(root), keys.slice(1).split('.')) : undefined;
        return isChoice(word) ? textsOf(word, source, path) : [];
      });
  });
};
