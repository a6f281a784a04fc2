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
