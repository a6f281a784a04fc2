import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { memoryFlags } from '../../bench/memory-flags.ts';

const read = (file: string): string => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');

/** The flags of each command of a file that starts a process of the service, in the forms of a shell, of JSON and of YAML. */
const startsIn = (file: string): string[][] =>
  [...read(file).matchAll(/\bnode[", ]+((?:--[\w=-]+[", ]+)*)src\/(?:start|worker|api\/main)\.ts/g)].map(
    ([, flags = '']) => (flags.match(/--[\w-]+=\w+/g) ?? []).filter((flag) => flag !== '--watch-path=src'),
  );

test('every way to start the service gives Node the same flags for memory, which the bench measures', () => {
  expect(memoryFlags.flags).toHaveLength(2);
  expect(startsIn('package.json')).toEqual(Array(4).fill(memoryFlags.flags));
  expect(startsIn('Dockerfile')).toEqual([memoryFlags.flags]);
  expect(startsIn('docker-compose.yml')).toEqual([memoryFlags.flags]);
});

test('every way to start the service limits the arenas of malloc', () => {
  expect(read('package.json').match(/exec env MALLOC_ARENA_MAX=2 node .*?src\//g)).toHaveLength(4);
  expect(read('Dockerfile')).toMatch(/^ENV .*\bMALLOC_ARENA_MAX=2\b/m);
  expect(memoryFlags.env).toEqual({ MALLOC_ARENA_MAX: '2' });
});
