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

/** Room by room, what it imports, with a file that does so. */
const readRooms = (): Map<string, Map<string, string>> => {
  const rooms = new Map<string, Map<string, string>>();
  for (const file of globSync('src/**/*.ts')) {
    const room = roomOf(file);
    const imports = rooms.get(room) ?? new Map<string, string>();
    rooms.set(room, imports);
    for (const imported of importsOf(file)) {
      if (imported.startsWith('src/') && roomOf(imported) !== room)
        imports.set(roomOf(imported), `${file} → ${imported}`);
    }
  }
  return rooms;
};

/** A way from a room back to itself, as the imports that make it; undefined when there is none. */
const findCircle = (rooms: ReturnType<typeof readRooms>): string[] | undefined => {
  const done = new Set<string>();
  const visit = (room: string, way: readonly { room: string; by: string }[]): string[] | undefined => {
    const begun = way.findIndex((step) => step.room === room);
    if (begun >= 0) return way.slice(begun).map(({ by }) => by);
    if (done.has(room)) return undefined;
    for (const [next, by] of rooms.get(room) ?? []) {
      const circle = visit(next, [...way, { room, by }]);
      if (circle) return circle;
    }
    done.add(room);
    return undefined;
  };
  return [...rooms.keys()].map((room) => visit(room, [])).find((circle) => circle !== undefined);
};

test('no rooms import each other in a circle, not even by types', () => {
  expect(findCircle(readRooms())).toBeUndefined();
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

/** Tests whose matter is SQL itself, and which no state of test/helpers would make shorter. */
const writeThemselves = {
  'test/deploy/database-roles.test.ts': 'what each role of the database may write',
  'test/shared/accounts/sign-in.test.ts': 'a user as the schema before a migration took it',
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
