import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildWebchat } from '../../../scripts/build-webchat.ts';

const folder = await buildWebchat();
const files = (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted();
const sizeOf = async (name: string): Promise<number> => (await readFile(join(folder, `${name}.gz`))).length;
const widget = files.find((name) => /^widget-[\w-]+\.js$/.test(name)) ?? '';

test('the loader has at most 3 kB and the widget at most 25 kB, gzipped', async () => {
  expect(files).toEqual(['', '.br', '.gz'].flatMap((end) => [`loader.js${end}`, `${widget}${end}`]).toSorted());
  expect(await sizeOf('loader.js')).toBeLessThanOrEqual(3_000);
  expect(await sizeOf(widget)).toBeLessThanOrEqual(25_000);
});

test('the loader imports exactly the widget that was built with it', async () => {
  const loader = await readFile(join(folder, 'loader.js'), 'utf8');
  expect(loader.match(/widget-[\w-]+\.js/g)).toEqual([widget]);
});

test('neither file has a way to turn texts into markup or code', async () => {
  for (const name of ['loader.js', widget]) {
    const code = await readFile(join(folder, name), 'utf8');
    expect(code).not.toMatch(
      /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|DOMParser|srcdoc/,
    );
  }
});
