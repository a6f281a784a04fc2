import { z } from 'zod';
import type { Config } from '../config.ts';
import { showEgressRule } from '../egress/addresses.ts';

/** The settings that `doctor` judges, without secrets. */
export const processSettings = z.object({
  baseUrl: z.string(),
  apiUrl: z.string(),
  /** The address for callers on the same machine. */
  localUrl: z.string(),
  /** As `smtp://host:port`, without user and password; null where mails become files in `dataDir`. */
  smtpServer: z.string().nullable(),
  dataDir: z.string(),
  /** The entries of EGRESS_ALLOW, sorted. */
  egressAllow: z.array(z.string()),
  retentionDays: z.number(),
});
export type ProcessSettings = z.infer<typeof processSettings>;

type Described = Pick<
  Config,
  'baseUrl' | 'apiUrl' | 'host' | 'port' | 'smtpUrl' | 'dataDir' | 'egressAllow' | 'retentionDays'
>;

export const describeSettings = (config: Described): ProcessSettings => {
  const { baseUrl, apiUrl, host, port, smtpUrl, dataDir, egressAllow, retentionDays } = config;
  return {
    baseUrl,
    apiUrl,
    localUrl: `http://${reachable(host)}:${port}`,
    smtpServer: smtpUrl === undefined ? null : serverOf(new URL(smtpUrl)),
    dataDir,
    egressAllow: [...new Set(egressAllow.map(showEgressRule))].sort(),
    retentionDays,
  };
};

/** Clients cannot call a wildcard address. */
const reachable = (host: string): string => {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return name.includes(':') ? `[${name}]` : name;
};

const serverOf = ({ protocol, host }: URL): string => `${protocol}//${host}`;
