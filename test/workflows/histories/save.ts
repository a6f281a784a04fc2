import { mkdir, writeFile } from 'node:fs/promises';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import packageJson from '../../../package.json' with { type: 'json' };

const folder = new URL(`./${packageJson.version}/`, import.meta.url);

/**
 * Waits for the end of a workflow, and saves its history for this version: the last one where it has continued as new, unless `runId` says
 * which.
 */
export const saveHistory = async (client: Client, workflowId: string, name: string, runId?: string): Promise<void> => {
  await client.workflow.getHandle(workflowId).result();
  const handle = client.workflow.getHandle(workflowId, runId);
  const history = await handle.fetchHistory();
  // Who recorded it is nobody's business.
  const json = historyToJSON(history).replaceAll(/"identity": ?"[^"]*"/g, '"identity": "worker"');
  await mkdir(folder, { recursive: true });
  await writeFile(new URL(`${name}.json`, folder), `${json}\n`);
};
