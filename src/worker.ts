import { requireServers } from './service/required-servers.ts';
import { runProcess } from './service/process.ts';
import { startService } from './service/start-service.ts';
import { createLog } from './shared/platform/log.ts';

// A worker alone: retries, mails and whatever the API's own worker leaves to others.
await runProcess(async (signal) => {
  const { config, database } = requireServers(process.env);
  const log = createLog(config.logLevel);
  const service = await startService({
    config,
    database,
    api: false,
    queues: ['deliveries', 'mail', 'messages', 'maintenance', 'flows'],
    log,
    signal,
  });
  log.info({ metricsPort: service.metricsPort }, 'worker.started');
  return { log, stop: service.stop };
});
