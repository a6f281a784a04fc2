import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildWeb } from '../../scripts/build-web.ts';
import { hashSources } from '../../scripts/sources-hash.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));

test('a dashboard that is up to date is not built again', async () => {
  const index = join(await buildWeb(), 'index.html');
  const built = await stat(index);
  const said: string[] = [];
  await buildWeb({ log: (line) => said.push(line) });
  expect(said).toEqual([]);
  expect((await stat(index)).ino).toBe(built.ino);
});

test('a source that is new, changed or gone makes another hash, and what is no source none', async () => {
  const folder = join('dist', `hashed.${process.pid}`);
  const file = join(project, `${folder}.ts`);
  const hash = () => hashSources(['scripts', `${folder}.ts`], (path) => !path.endsWith('.d.ts'));
  try {
    await writeFile(file, 'one');
    const one = await hash();
    await writeFile(file, 'two');
    expect(await hash()).not.toBe(one);
    await writeFile(file, 'one');
    expect(await hash()).toBe(one);
    expect(await hashSources(['scripts'])).not.toBe(one);
  } finally {
    await rm(file, { force: true });
  }
});

test('the built files bring no source map and name no other host', async () => {
  const built = await buildWeb();
  const index = await readFile(join(built, 'index.html'), 'utf8');
  expect(index).not.toMatch(/https?:\/\//);
  const [, script = ''] = /src="\/(assets\/index-[^"]+\.js)"/.exec(index) ?? [];
  expect(await readFile(join(built, script), 'utf8')).not.toContain('sourceMappingURL');
});

/** What a file imports of the others, at once. */
const importsOf = (script: string): string[] =>
  [...script.matchAll(/(?:import|from)\s*"\.\/([^"]+\.js)"/g)].map(([, name = '']) => `assets/${name}`);

test('what a browser loads to show the page of signing in is less than 300 kB, compressed', async () => {
  const built = await buildWeb();
  const read = (file: string): Promise<string> => readFile(join(built, file), 'utf8');
  const index = await read('index.html');
  const named = [...index.matchAll(/(?:src|href)="\/([^"]+)"/g)].flatMap(([, file = '']) =>
    file === 'docs' ? [] : [file],
  );
  const loaded = new Set(named);
  // It grows while it is gone through: what is imported imports others, and one of them names the page.
  for (const file of loaded) {
    if (!file.endsWith('.js')) continue;
    const script = await read(file);
    for (const imported of importsOf(script)) loaded.add(imported);
    for (const [page] of script.matchAll(/assets\/sign-in-[\w-]+\.js/g)) loaded.add(page);
  }
  expect([...loaded].some((file) => file.startsWith('assets/sign-in-'))).toBe(true);
  expect(loaded.size).toBeGreaterThan(named.length + 5);
  // A typeface is compressed already.
  const sent = (file: string): string => (file.endsWith('.woff2') ? file : `${file}.gz`);
  const sizes = await Promise.all([...loaded].map(async (file) => (await stat(join(built, sent(file)))).size));
  expect(sizes.reduce((sum, size) => sum + size, gzipSync(index).length)).toBeLessThan(300_000);
});
