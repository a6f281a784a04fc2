import type { TestProject } from 'vitest/node';
import { collectResults } from '../helpers/collect-results.ts';
import { readResults, showTable, updateDocument } from './table.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file that the results go to, one line each. */
    faultResults: string;
  }
}

/** At the end the table: printed, and with UPDATE_DOCS=1 written. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const { file, end } = await collectResults('faults', async (written) => {
    const results = await readResults(written);
    console.log(`\n${showTable(results)}\n`);
    if (process.env['UPDATE_DOCS'] === '1') await updateDocument(results);
  });
  project.provide('faultResults', file);
  return end;
};
