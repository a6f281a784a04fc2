import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflows } from '../../scripts/bundle-workflows.ts';
import { compileCache } from './bare-env.ts';
import { removeLeftFolders, tempFolder } from './temp-folder.ts';

/**
 * The set-up of a suite that makes a table of its results: the bundle for the service, and a file that each test adds a line to. `end` hands the
 * file to `report` and removes it.
 */
export const collectResults = async (
  suite: string,
  report: (file: string) => Promise<void>,
): Promise<{ file: string; end: () => Promise<void> }> => {
  process.env['NODE_COMPILE_CACHE'] = compileCache;
  await removeLeftFolders();
  await bundleWorkflows();
  const folder = tempFolder(`${suite}-results`);
  const file = join(folder, 'results.jsonl');
  await writeFile(file, '');
  const end = async (): Promise<void> => {
    try {
      await report(file);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  return { file, end };
};
