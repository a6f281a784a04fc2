import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, gzipSync } from 'node:zlib';

const project = fileURLToPath(new URL('../', import.meta.url));
const source = join(project, 'node_modules/@scalar/api-reference/dist/browser/standalone.js');
const target = join(project, 'dist', 'api-reference.js.gz');

const modifiedAt = async (file: string): Promise<number> => (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;

/**
 * Copies the script of the page /docs into dist/, compressed, because its package is installed only for building. Does nothing when it is
 * there already.
 */
export const copyApiPage = async (): Promise<void> => {
  if ((await modifiedAt(target)) > (await modifiedAt(join(project, 'package-lock.json')))) return;
  const compressed = gzipSync(await readFile(source), { level: constants.Z_BEST_COMPRESSION });
  await mkdir(dirname(target), { recursive: true });
  const unfinished = `${target}.${process.pid}`;
  await writeFile(unfinished, compressed);
  await rename(unfinished, target);
};

if (import.meta.main) await copyApiPage();
