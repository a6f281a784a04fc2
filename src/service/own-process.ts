import { hostname } from 'node:os';
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../shared/platform/config.ts';
import type { Sql } from '../shared/platform/db/connect.ts';
import type { Logger } from '../shared/platform/log.ts';
import { ownProcessId } from '../shared/platform/processes/own-process.ts';
import { deleteProcess, type Process } from '../shared/platform/processes/processes.ts';
import { describeSettings } from '../shared/platform/processes/settings.ts';
import { withDeadline } from '../shared/platform/deadline.ts';
import type { Queue } from './workers.ts';

/** What this process reports of itself. */
export const describeProcess = (
  config: Config,
  { api, queues }: { api: boolean; queues: readonly Queue[] },
): Process => ({
  id: ownProcessId,
  host: hostname(),
  pid: process.pid,
  version: packageJson.version,
  roles: [...(api ? ['api'] : []), ...queues],
  settings: describeSettings(config),
});

const forgetTimeoutMs = 2_000;

/** Removes the process from those at work. An absent database does not keep the process from ending; the row expires by itself. */
export const forgetProcess = async (sql: Sql, { id }: Process, log: Logger): Promise<void> => {
  try {
    await withDeadline(forgetTimeoutMs, 'forgetting the process', () => deleteProcess(sql, id));
  } catch (error) {
    log.warn({ err: error }, 'forget_process.failed');
  }
};
