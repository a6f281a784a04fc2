import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundleWorkflows } from '../../scripts/bundle-workflows.ts';
import { compileCache } from '../helpers/bare-env.ts';
import { removeLeftFolders, tempFolder } from '../helpers/temp-folder.ts';
import { readResults, showTable, updateDocument } from './table.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file that the results go to, one line each. */
    neighbourResults: string;
  }
}

/** The bundle for the service, a file for the results, and at the end the table: printed, and with UPDATE_DOCS=1 written. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  process.env['NODE_COMPILE_CACHE'] = compileCache;
  await removeLeftFolders();
  await bundleWorkflows();
  const folder = tempFolder('neighbours-results');
  const file = join(folder, 'results.jsonl');
  await writeFile(file, '');
  project.provide('neighbourResults', file);
  return async () => {
    const results = await readResults(file);
    await rm(folder, { recursive: true, force: true });
    console.log(`\n${showTable(results)}\n`);
    if (process.env['UPDATE_DOCS'] === '1') await updateDocument(results);
  };
};
