import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { hashSources, project } from './sources-hash.ts';

export type Built = {
  /** The folder's name below dist/. */
  name: string;
  /** Files and folders below the project: as long as they stay, so does what was built. */
  sources: readonly string[];
  /** Writes all files into this folder, which is empty. */
  build: (folder: string) => Promise<void>;
  /** Is called before a build, and not when all is up to date. */
  onBuild: () => void;
};

/** Types are no part of what a browser gets. */
const isSource = (path: string): boolean => !path.endsWith('.d.ts');

/**
 * Builds files for browsers into dist/<name>/, each beside its compressed forms, unless they are up to date. The folder takes the place of the one
 * before in one step.
 */
export const buildOnce = async ({ name, sources, build, onBuild }: Built): Promise<string> => {
  const target = join(project, 'dist', name);
  const stamp = await hashSources([...sources, 'package-lock.json', 'scripts/build-once.ts'], isSource);
  if ((await readFile(join(target, '.sources'), 'utf8').catch(() => '')) === stamp) return target;
  onBuild();
  const unfinished = `${target}.${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  await inProduction(() => build(unfinished));
  await compressAll(unfinished);
  await writeFile(join(unfinished, '.sources'), stamp);
  await rm(target, { recursive: true, force: true });
  await rename(unfinished, target);
  return target;
};

/** Vite takes NODE_ENV over its mode: a test run, which sets it, would build React's large and slow variant for development, and leave it there. */
const inProduction = async (work: () => Promise<void>): Promise<void> => {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await work();
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
};

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const compressAll = async (folder: string): Promise<void> => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const compressible = files.filter((file) => file.isFile() && /\.(js|css|svg)$/.test(file.name));
  await Promise.all(
    compressible.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      const bytes = await readFile(file);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      await writeFile(`${file}.br`, await brotli(bytes, { params }));
      await writeFile(`${file}.gz`, await zip(bytes, { level: constants.Z_BEST_COMPRESSION }));
    }),
  );
};
