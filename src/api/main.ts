import { requireServers } from '../service/required-servers.ts';
import { runProcess } from '../service/process.ts';
import { startService } from '../service/start-service.ts';
import { createLog } from '../shared/platform/log.ts';

// The API alone, with workers of its own for first attempts and first looks at runs, which start eagerly only in the process that has them.
await runProcess(async (signal) => {
  const { config, database } = requireServers(process.env);
  const log = createLog(config.logLevel);
  const queues = ['deliveries', 'flows'] as const;
  const service = await startService({ config, database, api: true, queues, localOnly: ['flows'], log, signal });
  const { metricsPort } = service;
  log.info({ baseUrl: config.baseUrl, apiUrl: config.apiUrl, metricsPort }, 'api.started');
  return { log, stop: service.stop };
});
