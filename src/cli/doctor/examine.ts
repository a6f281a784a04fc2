import { ConfigError, parseConfig, type Config } from '../../shared/platform/config.ts';
import { connectDatabase, type Sql } from '../../shared/platform/db/connect.ts';
import { findRunningTemporal } from '../../shared/platform/embedded/attach.ts';
import { findInstance } from '../../shared/platform/embedded/instance.ts';
import { knowsProcess, listProcesses } from '../../shared/platform/processes/processes.ts';
import { describeSettings, type ProcessSettings } from '../../shared/platform/processes/settings.ts';
import type { Environment } from '../command-deps.ts';
import { describeError } from '../failure.ts';
import { Interrupted, isThere, usePostgres } from '../installation.ts';
import { examineBacklog } from './backlog.ts';
import { examineDataFolder } from './data-folder.ts';
import { examineDatabase } from './database.ts';
import { examine, ok, warning, wrong, type Finding } from './finding.ts';
import { examineMail } from './mail.ts';
import { examineMasterKey } from './master-key.ts';
import { examineParked } from './parked.ts';
import { examinePlans } from './plans.ts';
import { examineProcesses, settingsInForce } from './processes.ts';
import { examineOldWeeks } from './retention.ts';
import { examineService, instanceUrl } from './service.ts';
import { examineNode, examineSettings } from './settings.ts';
import { examineTemporal } from './temporal.ts';

/** Checks every part of the installation and changes none; what one check finds keeps no other from being made. */
export const examineInstallation = async (env: Environment): Promise<Finding[]> => {
  const node = examineNode(process.versions.node);
  try {
    const config = parseConfig(env);
    return [node, ...(await examineParts(config, env))];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = error.problems.map((problem) => wrong('Settings', problem, 'correct it in the environment'));
    return [node, ...problems, warning('Other parts', 'not checked', 'run doctor again when the settings are right')];
  }
};

const examineParts = async (config: Config, env: Environment): Promise<Finding[]> => {
  const { dataDir, databaseUrl, temporalAddress } = config;
  const embedded = databaseUrl === undefined || temporalAddress === undefined;
  // Found before PostgreSQL is started for this command, which holds the folder as an instance does.
  const instance = embedded ? findInstance(dataDir) : undefined;
  const serving = !embedded || instance !== undefined;
  const shell = describeSettings(config);
  const processes = serving ? await askDatabase(config, listProcesses) : [];
  const inForce = settingsInForce(shell, processes ?? []);
  const isOurs = (id: string) => askDatabase(config, (sql) => knowsProcess(sql, id));
  const url = urlOf(config, env, { embedded, inForce });
  const [folder, service, temporal, mail, database] = await Promise.all([
    examine('Data folder', () => examineDataFolder(dataDir)),
    serving ? examine('Service', async () => [await examineService(url, isOurs)]) : [stopped],
    serving || temporalAddress !== undefined
      ? examine('Temporal', () =>
          examineTemporal(env, temporalAddress === undefined ? findRunningTemporal(dataDir)?.address : undefined),
        )
      : [ok('Temporal', 'comes with the service')],
    examine('SMTP', async () => [
      await examineMail(inForce, shell.smtpServer === inForce.smtpServer ? config.smtpUrl : undefined),
    ]),
    examineStored(config, { serving, inForce }),
  ]);
  const settings = [...examineProcesses({ env, settings: shell }, processes), ...examineSettings(inForce)];
  return [...settings, ...folder, ...database, ...temporal, ...service, ...mail];
};

const stopped = warning('Service', 'not running', 'npm start');

/** Behind a proxy the service is asked as its callers ask it; an instance on this machine directly. */
const urlOf = (
  config: Config,
  env: Environment,
  { embedded, inForce }: { embedded: boolean; inForce: ProcessSettings },
): string => (embedded ? instanceUrl({ ...config, port: env['PORT'] ? config.port : undefined }) : inForce.baseUrl);

const withDatabase = <Result>(config: Config, work: (sql: Sql) => Promise<Result>): Promise<Result> =>
  usePostgres(config, async (database) => {
    const sql = connectDatabase(database, { max: 2 });
    try {
      return await work(sql);
    } finally {
      await sql.end({ timeout: 2 });
    }
  });

/** Undefined when the database does not tell, of which its own part says why. */
const askDatabase = async <Result>(config: Config, ask: (sql: Sql) => Promise<Result>): Promise<Result | undefined> => {
  try {
    return await withDatabase(config, ask);
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return undefined;
  }
};

type Stored = { serving: boolean; inForce: ProcessSettings };

/** What needs the database; one that was never made is not made by looking for it. */
const examineStored = async (config: Config, stored: Stored): Promise<Finding[]> => {
  if (!isThere(config)) {
    return [warning('PostgreSQL', 'this installation was never started', 'npm start')];
  }
  try {
    return await withDatabase(config, (sql) => examineContent(sql, config, stored));
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    const remedy =
      config.databaseUrl === undefined
        ? `see ${config.dataDir}/logs/postgres.log`
        : 'start the server, or correct DATABASE_URL';
    return [wrong('PostgreSQL', `cannot be used: ${describeError(error)}`, remedy)];
  }
};

const examineContent = async (sql: Sql, config: Config, { serving, inForce }: Stored): Promise<Finding[]> => {
  const database = await examineDatabase(sql);
  if (database.some(({ part, state }) => part === 'Migrations' && state === 'wrong')) return database;
  return [
    ...database,
    ...(await examine('Master key', async () => [await examineMasterKey(sql, config)])),
    ...(await examine('Backlog', () => examineBacklog(sql, { serving }))),
    ...(await examine('Parked', async () => [await examineParked(sql)])),
    ...(await examine('Plans', async () => [await examinePlans(sql)])),
    ...(await examine('Retention', async () => [await examineOldWeeks(sql, inForce.retentionDays)])),
  ];
};
