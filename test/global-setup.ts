import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildWeb } from '../scripts/build-web.ts';
import { buildWebchat } from '../scripts/build-webchat.ts';
import { bundleWorkflows } from '../scripts/bundle-workflows.ts';
import { copyApiPage } from '../scripts/copy-api-page.ts';
import { connectDatabase } from '../src/shared/platform/db/connect.ts';
import { migrate } from '../src/shared/platform/db/migrate.ts';
import { startPostgres } from '../src/shared/platform/embedded/postgres.ts';
import { compileCache } from './helpers/bare-env.ts';
import { refuseForgottenRevisions } from './helpers/forgotten-revisions.ts';
import { removeLeftFolders, tempFolder } from './helpers/temp-folder.ts';
import { readResults, updateDocument } from './security/table.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A migrated database that each test file clones and nobody connects to; see helpers/database.ts. */
    templateUrl: string;
    /** The path of the workflows' bundle, made of the sources as they are. */
    workflowBundle: string;
    /** The file that the attacks of test/security are reported to, one line each. */
    attackResults: string;
  }
}

/** One PostgreSQL for the whole run, started before the first file and gone after the last. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  process.env['NODE_COMPILE_CACHE'] = compileCache;
  await removeLeftFolders();
  const dataDir = tempFolder('postgres');
  const server = await startPostgres({ dataDir, log: () => {}, durable: false });
  const resultsFolder = tempFolder('security-results');
  const attackResults = join(resultsFolder, 'results.jsonl');
  await writeFile(attackResults, '');
  project.provide('attackResults', attackResults);
  const stop = async () => {
    await server.stop();
    const results = await readResults(attackResults);
    await rm(dataDir, { recursive: true, force: true });
    await rm(resultsFolder, { recursive: true, force: true });
    if (process.env['UPDATE_DOCS'] === '1') await updateDocument(results);
  };
  try {
    const templateUrl = await server.createDatabase('template');
    const db = connectDatabase(templateUrl, { max: 1 });
    await migrate(db);
    await refuseForgottenRevisions(db);
    await db.end();
    project.provide('templateUrl', templateUrl);
    project.provide('workflowBundle', await bundleWorkflows());
    await copyApiPage();
    await buildWeb();
    await buildWebchat();
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
};
