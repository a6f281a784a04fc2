import { requireServers } from '../service/required-servers.ts';
import { runProcess } from '../service/process.ts';
import { startService } from '../service/start-service.ts';
import { createLog } from '../shared/platform/log.ts';

// The API alone, with workers for what it starts: a workflow starts eagerly only in a process that has its worker. Deployments name this file in
// their commands, so it stays here, the only one of src/api that builds a process.
await runProcess(async (signal) => {
  const { config, database } = requireServers(process.env);
  const log = createLog(config.logLevel);
  const queues = ['deliveries', 'flows'] as const;
  const service = await startService({ config, database, api: true, queues, localOnly: ['flows'], log, signal });
  const { metricsPort } = service;
  log.info({ baseUrl: config.baseUrl, apiUrl: config.apiUrl, metricsPort }, 'api.started');
  return { log, stop: service.stop };
});
