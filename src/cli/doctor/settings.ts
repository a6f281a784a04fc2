import type { ProcessSettings } from '../../shared/platform/processes/settings.ts';
import { ok, warning, wrong, type Finding } from './finding.ts';

const requiredNode = 24;

/** The Node.js that runs us. */
export const examineNode = (version: string): Finding =>
  Number.parseInt(version, 10) >= requiredNode
    ? ok('Node.js', version)
    : wrong('Node.js', `${version} is too old`, `put Node.js ${requiredNode} or newer first on PATH`);

/** Settings that are well-formed but may not be meant so. */
export const examineSettings = ({ baseUrl, apiUrl, egressAllow }: ProcessSettings): Finding[] => [
  ok('Settings', 'all well-formed'),
  ...[...new Set([baseUrl, apiUrl])].map(examineUrl),
  egressAllow.length === 0
    ? ok('EGRESS_ALLOW', 'empty: nothing is sent to private addresses')
    : warning(
        'EGRESS_ALLOW',
        `opens to every account: ${egressAllow.join(', ')}`,
        'keep only what your webhooks need; for public receivers leave it empty',
      ),
];

const examineUrl = (url: string): Finding => {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:') return ok('BASE_URL', url);
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return ok('BASE_URL', `${url}, for this machine alone`);
  return warning(
    'BASE_URL',
    `${url} is plain http: passwords, sessions and API keys cross the network readable`,
    'put a TLS proxy in front and set BASE_URL and API_URL to https addresses',
  );
};
