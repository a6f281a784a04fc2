import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/**
 * The room of a file: its folder, down to the nouns of src/shared and the parts of src/shared/platform. A file that stands beside
 * them is a room of its own, and so is an entry, which nobody imports.
 */
const roomOf = (file: string): string => {
  const parts = file.split('/');
  const depth = parts[1] === 'shared' ? (parts[2] === 'platform' ? 4 : 3) : 2;
  const isEntry = parts.at(-1) === 'main.ts';
  return isEntry || parts.length <= depth ? file : parts.slice(0, depth).join('/');
};

/** Every import of `src`, of types, too: a newcomer who reads one room has to know those that it names. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\s(?:[^'";]*?\sfrom\s)?'(\.[^']+)'/gm)].map(
    ([, path = '']) => normalize(join(dirname(file), path)),
  );

/** What each file or room imports, with the import that does so. */
type Imports = Map<string, Map<string, string>>;

const readFiles = (pattern: string): Imports => {
  const files = globSync(pattern, { exclude: ['**/node_modules/**'] });
  return new Map(
    files.map((file) => [file, new Map(importsOf(file).map((imported) => [imported, `${file} → ${imported}`]))]),
  );
};

const readRooms = (): Imports => {
  const rooms: Imports = new Map();
  for (const [file, imported] of readFiles('src/**/*.ts')) {
    const room = roomOf(file);
    const imports = rooms.get(room) ?? new Map<string, string>();
    rooms.set(room, imports);
    for (const [path, by] of imported) {
      if (path.startsWith('src/') && roomOf(path) !== room) imports.set(roomOf(path), by);
    }
  }
  return rooms;
};

/** Ways from a file or room back to itself, each as the imports that make it. There is one at least where there is a circle. */
const findCircles = (imports: Imports): string[][] => {
  const done = new Set<string>();
  const visit = (from: string, way: readonly { from: string; by: string }[]): string[][] => {
    const begun = way.findIndex((step) => step.from === from);
    if (begun >= 0) return [way.slice(begun).map(({ by }) => by)];
    if (done.has(from)) return [];
    const circles = [...(imports.get(from) ?? [])].flatMap(([next, by]) => visit(next, [...way, { from, by }]));
    done.add(from);
    return circles;
  };
  return [...imports.keys()].flatMap((from) => visit(from, []));
};

test('no rooms import each other in a circle, not even by types', () => {
  expect(findCircles(readRooms())).toEqual([]);
});

test('no files import each other in a circle, not even by types', () => {
  expect(findCircles(readFiles('{src,scripts,bench,packages,test}/**/*.{ts,tsx,mjs}'))).toEqual([]);
});

test('the machinery of src/shared/platform knows no noun', () => {
  const nouns = globSync('src/shared/platform/**/*.ts').flatMap((file) =>
    importsOf(file).filter((path) => /^src\/(?!shared\/platform\/|shared\/(errors|ids|unreachable)\.ts)/.test(path)),
  );
  expect(nouns).toEqual([]);
});

test('texts are normalized in one place, which does so in linear time', () => {
  const elsewhere = globSync('src/{api,shared}/**/*.ts').filter((file) =>
    /\.normalize\(['"]NF/.test(readFileSync(file, 'utf8')),
  );
  expect(elsewhere).toEqual([]);
});

test('no two advisory locks have the same number', () => {
  const numbers = globSync('src/**/*.ts').flatMap((file) => readFileSync(file, 'utf8').match(/\b7_205_\d{3}\b/g) ?? []);
  expect(numbers.length).toBeGreaterThan(5);
  expect(numbers.filter((number, place) => numbers.indexOf(number) !== place)).toEqual([]);
});

test('pages and the chat make ids that a browser has over plain http, too', () => {
  const files = globSync(['src/web/**/*.{ts,tsx}', 'packages/webchat/src/**/*.ts']);
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => readFileSync(file, 'utf8').includes('.randomUUID('))).toEqual([]);
});

/** Tests whose matter is SQL itself, and which no state of test/helpers would make shorter. */
const writeThemselves = {
  'test/deploy/database-roles.test.ts': 'what each role of the database may write',
  'test/shared/accounts/sign-in.test.ts': 'a user as the schema before a migration took it',
  'test/shared/messages/conversations/changes/revisions-of-0-3.test.ts': 'statements of a process of 0.3',
  'test/shared/platform/db/migrate.test.ts': 'rows of an older schema, written between two migrations',
};

test('a test begins from what the writers of the product make, or from a named state of test/helpers', () => {
  const created = globSync('migrations/*.sql').flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/^create (?:unlogged )?table (\w+)/gm),
  ]);
  const tables = [...new Set(created.map(([, table]) => table)), 'migrations', '\\$\\{'].join('|');
  // A statement that is only named, as one that is waited for, stands in quotation marks.
  const write = new RegExp(`(?<!')\\b(?:insert into|update|delete from|truncate)\\s+(?:${tables})`);
  const writing = globSync('test/**/*.ts', { exclude: ['test/helpers/**'] }).filter((file) =>
    write.test(readFileSync(file, 'utf8')),
  );
  expect(writing.toSorted()).toEqual(Object.keys(writeThemselves));
});
