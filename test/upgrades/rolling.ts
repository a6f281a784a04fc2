import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { startParley, type ParleyProcess } from '../helpers/parley-process.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { startDevServer, type DevServer } from '../helpers/temporal.ts';
import { parleyOf, unpackRelease, type Env, type Version } from './installation.ts';

/** What two versions share while one replaces the other: database, Temporal, and a receiver that both may call. */
export type Rolling = {
  old: Version;
  database: TestDatabase;
  temporal: DevServer;
  receiver: Receiver;
  env: Env;
  close: () => Promise<void>;
};

/** An installation that nothing has migrated yet. */
export const prepareRolling = async (oldVersion: string): Promise<Rolling> => {
  const [old, database, temporal, receiver] = await Promise.all([
    unpackRelease(oldVersion),
    createTestDatabase({ migrated: false }),
    startDevServer(),
    startReceiver(),
  ]);
  const ca = join(old.folder, 'ca.pem');
  await writeFile(ca, receiver.caPem);
  const env = {
    DATABASE_URL: database.target,
    TEMPORAL_ADDRESS: temporal.address,
    MASTER_KEY: randomBytes(32).toString('base64'),
    EGRESS_ALLOW: '127.0.0.0/8',
    EGRESS_CA_FILE: ca,
    DATA_DIR: join(old.folder, 'data'),
  };
  const close = async () => {
    await Promise.all([receiver.close(), temporal.stop(), database.drop()]);
    await old.remove();
  };
  return { old, database, temporal, receiver, env, close };
};

/** A process of one version, ready to work. It ends with the test at the latest. */
export const startVersion = async (
  { env }: Rolling,
  { folder }: Version,
  main: 'src/api/main.ts' | 'src/worker.ts',
): Promise<ParleyProcess> => {
  const parley = await startParley({ main, cwd: folder, env });
  onTestFinished(async () => void (await parley.stop()));
  return parley;
};

/** Makes requests with the account's key through any process. Throws where one is refused. */
export type Ask = (through: ParleyProcess, method: string, path: string, sent?: unknown) => Promise<unknown>;

/** An account that the old version has created, with a key. */
export const createAccountOfOld = async ({ old, env }: Rolling): Promise<Ask> => {
  const created = await parleyOf(old, env, 'accounts', 'create', '--name', 'Acme', '--email', 'ada@example.com');
  const { api_key: key } = z.object({ api_key: z.string() }).parse(created);
  return async ({ url }, method, path, sent) => {
    const init = {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: sent ? JSON.stringify(sent) : null,
    };
    const answer = await fetch(`${url}${path}`, init);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
};

/** What a process has logged of faults. */
export const faultsOf = ({ lines }: ParleyProcess): string[] =>
  lines.filter((line) => /"level":"(error|fatal)"/.test(line));

/** How a workflow stands, and its tasks that failed, as one does that a version cannot go on with. */
export const describeWorkflow = async ({ temporal }: Rolling, workflowId: string) => {
  const handle = temporal.client.workflow.getHandle(workflowId);
  const [{ status }, { events }] = [await handle.describe(), await handle.fetchHistory()];
  const failedTasks = (events ?? []).filter((event) => event.workflowTaskFailedEventAttributes).length;
  return { workflowId, status: status.name, failedTasks };
};
