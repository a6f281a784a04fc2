import { z } from 'zod';
import type { Config } from '../config.ts';
import { showEgressRule } from '../egress/addresses.ts';

/** The settings that `doctor` judges, in a form that may be shown: they hold no secret. */
export const processSettings = z.object({
  baseUrl: z.string(),
  apiUrl: z.string(),
  /** Where the process listens, as callers on its machine reach it. */
  localUrl: z.string(),
  /** As `smtp://host:port`, without user and password; null where mails become files in `dataDir`. */
  smtpServer: z.string().nullable(),
  dataDir: z.string(),
  /** The entries of EGRESS_ALLOW, in an order of their own. */
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

/** An address that clients can call, in place of a wildcard to listen on. */
const reachable = (host: string): string => {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return name.includes(':') ? `[${name}]` : name;
};

const serverOf = ({ protocol, host }: URL): string => `${protocol}//${host}`;
