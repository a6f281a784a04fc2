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
    sayWhatNext(config, isTerminal ? account.apiKey : '<the API key>');
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

function sayWhatNext({ baseUrl, apiUrl }: Config, key: string): void {
  const json = `-H 'Content-Type: application/json'`;
  say('Open the link: the first steps of the overview lead to a signed event. Or paste:');
  say(`  export KEY=${key}`);
  say(`  curl ${baseUrl}/api/accounts/me -H "X-ACCESS-TOKEN: $KEY"`);
  say('  export SECRET="whsec_$(openssl rand -base64 32)"');
  say(`  curl ${apiUrl}/v1/webhooks -H "Authorization: Bearer $KEY" ${json} \\`);
  say(`    -d '{"url":"https://example.com/hook","events":["*"],"secret":"'$SECRET'"}'`);
  say(`  curl ${apiUrl}/v1/channels -H "Authorization: Bearer $KEY" ${json} -d '{"type":"api","name":"Our app"}'`);
  say(`  export CHANNEL=<the id that it answered>`);
  say(`  curl ${apiUrl}/v1/channels/$CHANNEL/inbound -H "Authorization: Bearer $KEY" ${json} \\`);
  say(`    -d '{"message_id":"m-1","sender":{"external_id":"ada","first_name":"Ada"},"text":"Hello"}'`);
  say(
    'Put your endpoint in place of example.com, which accepts no webhooks. npm run receiver starts one on this machine.',
  );
  say('npm run demo shows deliveries that arrive and a flow, verified on screen.');
  say('');
}
