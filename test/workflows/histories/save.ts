import { mkdir, writeFile } from 'node:fs/promises';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import packageJson from '../../../package.json' with { type: 'json' };

const folder = new URL(`./${packageJson.version}/`, import.meta.url);

/** Waits for the end of a workflow, and saves its history for this version. */
export const saveHistory = async (client: Client, workflowId: string, name: string): Promise<void> => {
  const handle = client.workflow.getHandle(workflowId);
  await handle.result();
  const history = await handle.fetchHistory();
  // Who recorded it is nobody's business.
  const json = historyToJSON(history).replaceAll(/"identity": ?"[^"]*"/g, '"identity": "worker"');
  await mkdir(folder, { recursive: true });
  await writeFile(new URL(`${name}.json`, folder), `${json}\n`);
};
