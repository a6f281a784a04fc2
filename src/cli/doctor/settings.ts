import type { ProcessAtWork } from '../../shared/platform/processes/processes.ts';
import type { ProcessSettings } from '../../shared/platform/processes/settings.ts';
import type { Environment } from '../command-deps.ts';
import { ok, warning, wrong, type Finding } from './finding.ts';

const requiredNode = 24;

/** Checks the version of Node.js. */
export const examineNode = (version: string): Finding =>
  Number.parseInt(version, 10) >= requiredNode
    ? ok('Node.js', version)
    : wrong('Node.js', `${version} is too old`, `put Node.js ${requiredNode} or newer first on PATH`);

/** Finds settings that are well-formed but may not be intended. */
export const examineSettings = ({ baseUrl, apiUrl, egressAllow }: ProcessSettings): Finding[] => [
  ok('Settings', 'all well-formed'),
  ...[...new Set([baseUrl, apiUrl])].map(examineUrl),
  egressAllow.length === 0
    ? ok('EGRESS_ALLOW', 'empty: Parley sends nothing to private addresses')
    : warning(
        'EGRESS_ALLOW',
        `lets every account reach ${egressAllow.join(', ')}`,
        'keep only what your webhooks need; for public receivers leave it empty',
      ),
];

const examineUrl = (url: string): Finding => {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:') return ok('BASE_URL', url);
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname))
    return ok('BASE_URL', `${url}, reachable from this machine only`);
  return warning(
    'BASE_URL',
    `${url} is plain http: passwords, sessions and API keys cross the network unencrypted`,
    'put a TLS proxy in front and set BASE_URL and API_URL to https addresses',
  );
};

/** How long processes of two versions may run side by side: an upgrade replaces each in a minute or two. */
const mixedForSeconds = 3_600;
/** The most processes that are named where they differ. */
const namedAtMost = 5;

type Setting = {
  name: string;
  show: (settings: ProcessSettings) => string;
  /** The roles that use it; all when not given. */
  role?: string;
  /** Whether its default depends on the port, which a shell need not know. */
  byPort?: boolean;
};

const settings: readonly Setting[] = [
  { name: 'BASE_URL', show: ({ baseUrl }) => baseUrl, byPort: true },
  { name: 'API_URL', show: ({ apiUrl }) => apiUrl, role: 'api', byPort: true },
  { name: 'EGRESS_ALLOW', show: ({ egressAllow }) => egressAllow.join(', ') || 'empty' },
  { name: 'SMTP_URL', show: ({ smtpServer }) => smtpServer ?? 'not set', role: 'mail' },
  { name: 'RETENTION_DAYS', show: ({ retentionDays }) => String(retentionDays), role: 'maintenance' },
];

/** The settings in force: of each role its latest start's, and of EGRESS_ALLOW whatever any opens; without one, the shell's. */
export const settingsInForce = (shell: ProcessSettings, processes: readonly ProcessAtWork[]): ProcessSettings => {
  if (processes.length === 0) return shell;
  const of = (role: string) => processes.find(({ roles }) => roles.includes(role))?.settings ?? shell;
  const { baseUrl, apiUrl, localUrl } = of('api');
  const { smtpServer, dataDir } = of('mail');
  const egressAllow = [...new Set(processes.flatMap((process) => process.settings.egressAllow))].sort();
  return {
    baseUrl,
    apiUrl,
    localUrl,
    smtpServer,
    dataDir,
    egressAllow,
    retentionDays: of('maintenance').retentionDays,
  };
};

type Shell = { env: Environment; settings: ProcessSettings };

/** Whose settings are judged, and where the processes, or this shell, have others; undefined when the database does not tell. */
export const examineProcesses = (shell: Shell, processes: readonly ProcessAtWork[] | undefined): Finding[] => {
  if (!processes) return [ok('Processes', 'unknown without the database: doctor checks the settings of this shell')];
  if (processes.length === 0) return [ok('Processes', 'none running: doctor checks the settings of this shell')];
  const versions = Map.groupBy(processes, ({ version }) => version);
  const others = listOthers(shell, settingsInForce(shell.settings, processes));
  const judged = `${processes.length} running (${[...versions.keys()].sort().join(', ')}): doctor checks their settings`;
  return [
    ok('Processes', others.length === 0 ? judged : `${judged}; this shell differs in ${others.join(', ')}`),
    ...examineVersions(versions),
    ...settings.flatMap((setting) => examineSetting(setting, processes)),
  ];
};

const listOthers = ({ env, settings: own }: Shell, inForce: ProcessSettings): string[] =>
  settings
    .filter(({ name, show, byPort }) => show(own) !== show(inForce) && (env[name] || !byPort))
    .map(({ name }) => name);

const examineVersions = (versions: Map<string, ProcessAtWork[]>): Finding[] => {
  const mixedSeconds = Math.min(
    ...[...versions.values()].map((those) => Math.max(...those.map(({ ageSeconds }) => ageSeconds))),
  );
  if (versions.size === 1 || mixedSeconds < mixedForSeconds) return [];
  const message = `${nameAll(versions)} have run side by side for more than an hour`;
  return [warning('Processes', message, 'finish the upgrade: replace the processes of the older version')];
};

const examineSetting = ({ name, role, show }: Setting, processes: readonly ProcessAtWork[]): Finding[] => {
  const users = processes.filter(({ roles }) => role === undefined || roles.includes(role));
  const values = Map.groupBy(users, (process) => show(process.settings));
  if (values.size <= 1) return [];
  const remedy = `set the same ${name} for all of them, and restart those that differ`;
  return [warning(name, `the processes disagree: ${nameAll(values)}`, remedy)];
};

const nameAll = (groups: Map<string, ProcessAtWork[]>): string =>
  [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([value, those]) => {
      const names = those.slice(0, namedAtMost).map(({ host, pid }) => `${host} pid ${pid}`);
      const more = those.length > namedAtMost ? ` and ${those.length - namedAtMost} more` : '';
      return `${value} (${names.join(', ')}${more})`;
    })
    .join('; ');
