import { keepMetricsPort, keptPorts } from './service/kept-ports.ts';
import { createFirstAccount, tellCredentials } from './service/first-account.ts';
import { runProcess } from './service/process.ts';
import { startService } from './service/start-service.ts';
import { found } from './shared/errors.ts';
import { parseConfig, type Config } from './shared/platform/config.ts';
import { startEmbedded } from './shared/platform/embedded/start-embedded.ts';
import { createLog, createTerminalLog } from './shared/platform/log.ts';
import { createSignInLink } from './shared/users/sign-in-links.ts';

const say = (line: string): void => console.log(line);

// npm start: PostgreSQL and Temporal where the environment names none, then the API and all workers in this process.
await runProcess(async (signal) => {
  const { dataDir } = parseConfig(process.env);
  const ports = await keptPorts(process.env, dataDir);
  const config = parseConfig(ports.env);
  const isTerminal = process.stdout.isTTY;
  const log = isTerminal ? createTerminalLog(config.logLevel) : createLog(config.logLevel);
  await using started = new AsyncDisposableStack();
  const embedded = await startEmbedded({ config, log: say, signal });
  started.defer(() => embedded.stop());
  const service = await startService({
    config,
    database: embedded.database,
    embeddedTemporal: config.temporalAddress === undefined ? embedded.temporal : undefined,
    api: true,
    queues: ['deliveries', 'mail', 'messages', 'maintenance', 'flows'],
    log,
    releasePort: ports.release,
    signal,
  });
  started.defer(service.stop);
  keepMetricsPort(process.env, dataDir, service.metricsPort);
  const account = await createFirstAccount(service);
  sayWhereItIs({ ...config, metricsPort: service.metricsPort }, embedded.temporal.uiUrl ?? config.temporalUiUrl);
  if (account) {
    const link = found('user', await createSignInLink(service.db, { ...account, baseUrl: config.baseUrl }));
    await tellCredentials({ ...account, link }, { dataDir, isTerminal, say });
    say('First steps on the overview lead to a signed event and a first flow.');
    say('To call the API, see docs/api.md.');
    say('');
  }
  const running = started.move();
  const stop = async (): Promise<void> => {
    say('Stopping …');
    await running.disposeAsync();
    say('Stopped.');
  };
  return { log, stop, lost: embedded.lost };
});

function sayWhereItIs({ baseUrl, apiUrl, metricsPort }: Config, uiUrl: string | undefined): void {
  say('');
  say(`Parley serves ${baseUrl}${apiUrl === baseUrl ? '' : ` and ${apiUrl}`}`);
  if (uiUrl) say(`Temporal's UI  ${uiUrl}`);
  say(`Metrics        http://127.0.0.1:${metricsPort}/metrics`);
  say('Ctrl-C stops everything.');
  say('');
}
