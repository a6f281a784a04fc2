import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { hashSources, project } from './sources-hash.ts';

const target = join(project, 'dist', 'web');
const stampFile = join(target, '.sources');

const sources = ['src/web', 'src/shared', 'package-lock.json', 'vite.config.ts', 'scripts/build-web.ts'];

/** Types are no part of what a browser gets. */
const isSource = (path: string): boolean => !path.endsWith('.d.ts');

/**
 * Builds the dashboard into dist/web/, each file beside its compressed forms, unless it is up to date. The folder takes the place of the one
 * before in one step.
 */
export const buildWeb = async ({ log = () => {} }: { log?: (line: string) => void } = {}): Promise<string> => {
  const stamp = await hashSources(sources, isSource);
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return target;
  log('Building the dashboard …');
  const unfinished = `${target}.${process.pid}`;
  await inProduction(async () => {
    const { build } = await import('vite');
    await build({
      configFile: join(project, 'vite.config.ts'),
      logLevel: 'warn',
      mode: 'production',
      build: { outDir: unfinished, emptyOutDir: true },
    });
  });
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

if (import.meta.main) await buildWeb({ log: (line) => console.log(line) });
