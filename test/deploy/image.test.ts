import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const pathOf = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const linesOf = (file: string): string[] => readFileSync(pathOf(file), 'utf8').split('\n');

/** What a build is given: `.dockerignore` begins with `*`, so only what its other lines name. */
const given = linesOf('.dockerignore').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));

/** What the Dockerfile copies from the project, and not from another stage. */
const copied = linesOf('Dockerfile').flatMap((line) => {
  const [instruction, ...words] = line.trim().split(/\s+/);
  return instruction === 'COPY' && !words[0]?.startsWith('--from') ? words.slice(0, -1) : [];
});

test('the image is built of files that its build is given', () => {
  expect(linesOf('.dockerignore')).toContain('*');
  expect(copied).not.toEqual([]);
  expect(copied.filter((file) => !given.includes(file))).toEqual([]);
  expect(copied.filter((file) => !existsSync(pathOf(file)))).toEqual([]);
});

test('a build is given nothing that the image does not need', () => {
  expect(given.filter((file) => !copied.includes(file))).toEqual([]);
});
