import { ConfigError, parseConfig, type Config } from '../../shared/platform/config.ts';
import type { Sql } from '../../shared/platform/db/connect.ts';
import { findRunningTemporal } from '../../shared/platform/embedded/temporal-run.ts';
import { findInstance } from '../../shared/platform/embedded/instance.ts';
import { knowsProcess, listProcesses } from '../../shared/platform/processes/processes.ts';
import { describeSettings } from '../../shared/platform/processes/settings.ts';
import type { Environment } from '../command-deps.ts';
import { describeError } from '../failure.ts';
import { Interrupted, isThere, useDatabase } from '../installation.ts';
import { examineBacklog, examinePlans } from './backlog.ts';
import { examineDataFolder } from './data-folder.ts';
import { examineDatabase, examineOldWeeks } from './database.ts';
import { examine, ok, warning, wrong, type Finding } from './finding.ts';
import { examineMail } from './mail.ts';
import { examineMedia } from './media.ts';
import { examineMasterKey } from './master-key.ts';
import { examineService, findKeptPort } from './service.ts';
import { examineNode, examineProcesses, examineSettings, settingsInForce } from './settings.ts';
import { examineTemporal } from './temporal.ts';

/** Checks every part of the installation and changes nothing. No check depends on the outcome of another. */
export const examineInstallation = async (env: Environment): Promise<Finding[]> => {
  const node = examineNode(process.versions.node);
  try {
    const config = parseConfig(env);
    return [node, ...(await openAndExamine(config, env))];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = error.problems.map((problem) => wrong('Settings', problem, 'correct the setting'));
    return [node, ...problems, warning('Other parts', 'not checked', 'fix the settings, then run doctor again')];
  }
};

type Installation = {
  config: Config;
  env: Environment;
  /** Whether one of its servers is embedded. */
  embedded: boolean;
  /** Whether a service should be running. */
  serving: boolean;
};

const openAndExamine = async (config: Config, env: Environment): Promise<Finding[]> => {
  const embedded = config.databaseUrl === undefined || config.temporalAddress === undefined;
  // Read before PostgreSQL is started for this command, which then holds the folder.
  const serving = !embedded || findInstance(config.dataDir) !== undefined;
  const installation = { config, env, embedded, serving };
  // Looking for an installation must not make one.
  if (!isThere(config))
    return examineParts(
      installation,
      warning('PostgreSQL', 'this installation has not been started yet', 'run npm start'),
    );
  try {
    return await useDatabase(config, (sql) => examineParts(installation, sql));
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return examineParts(installation, unusable(config, error));
  }
};

const unusable = ({ databaseUrl, dataDir }: Config, error: unknown): Finding => {
  const remedy =
    databaseUrl === undefined ? `see ${dataDir}/logs/postgres.log` : 'start the server, or correct DATABASE_URL';
  return wrong('PostgreSQL', `cannot be used: ${describeError(error)}`, remedy);
};

/** `database` is a finding where the database cannot be reached. */
const examineParts = async (installation: Installation, database: Sql | Finding): Promise<Finding[]> => {
  const { config, env, embedded, serving } = installation;
  const { dataDir, temporalAddress } = config;
  const port = env['PORT'] ? config.port : (findKeptPort(dataDir) ?? config.port);
  // Undefined when the database cannot be read; its own part says why.
  const ask = async <Answer>(question: (sql: Sql) => Promise<Answer>): Promise<Answer | undefined> =>
    typeof database === 'function' ? question(database).catch(() => undefined) : undefined;
  const shell = describeSettings({ ...config, port });
  const processes = serving ? await ask(listProcesses) : [];
  const inForce = settingsInForce(shell, processes ?? []);
  // A service behind a proxy is asked as its callers ask it, an instance on this machine directly.
  const url = embedded ? inForce.localUrl : inForce.baseUrl;
  const runningTemporal = () => (temporalAddress === undefined ? findRunningTemporal(dataDir)?.address : undefined);
  const [folder, media, stored, temporal, service, mail] = await Promise.all([
    examine('Data folder', () => examineDataFolder(dataDir)),
    examine('Files of messages', () => examineMedia(dataDir)),
    typeof database === 'function' ? examineStored(database, installation, inForce.retentionDays) : [database],
    serving || temporalAddress !== undefined
      ? examine('Temporal', () => examineTemporal(env, runningTemporal()))
      : [ok('Temporal', 'starts with the service')],
    serving
      ? examine('Service', () => examineService(url, (id) => ask((sql) => knowsProcess(sql, id))))
      : [warning('Service', 'not running', 'run npm start')],
    examine('SMTP', () => examineMail(inForce, shell.smtpServer === inForce.smtpServer ? config.smtpUrl : undefined)),
  ]);
  const settings = [...examineProcesses({ env, settings: shell }, processes), ...examineSettings(inForce)];
  return [...settings, ...folder, ...media, ...stored, ...temporal, ...service, ...mail];
};

const examineStored = async (
  sql: Sql,
  { config, serving }: Installation,
  retentionDays: number,
): Promise<Finding[]> => {
  let database: Finding[];
  try {
    database = await examineDatabase(sql);
  } catch (error) {
    return [unusable(config, error)];
  }
  if (database.some(({ part, state }) => part === 'Migrations' && state === 'wrong')) return database;
  return [
    ...database,
    ...(await examine('Master key', () => examineMasterKey(sql, config))),
    ...(await examine('Backlog', () => examineBacklog(sql, { serving }))),
    ...(await examine('Plans', () => examinePlans(sql))),
    ...(await examine('Retention', () => examineOldWeeks(sql, retentionDays))),
  ];
};
