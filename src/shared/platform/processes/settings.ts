import { z } from 'zod';
import type { Config } from '../config.ts';
import { showEgressRule } from '../egress/addresses.ts';

/** The settings that `doctor` judges, in a form that may be shown: they hold no secret. */
export const processSettings = z.object({
  baseUrl: z.string(),
  apiUrl: z.string(),
  /** As `smtp://host:port`, without user and password; null where mails become files in `dataDir`. */
  smtpServer: z.string().nullable(),
  dataDir: z.string(),
  /** The entries of EGRESS_ALLOW, in an order of their own. */
  egressAllow: z.array(z.string()),
  retentionDays: z.number(),
});
export type ProcessSettings = z.infer<typeof processSettings>;

type Described = Pick<Config, 'baseUrl' | 'apiUrl' | 'smtpUrl' | 'dataDir' | 'egressAllow' | 'retentionDays'>;

export const describeSettings = (config: Described): ProcessSettings => {
  const { baseUrl, apiUrl, smtpUrl, dataDir, egressAllow, retentionDays } = config;
  return {
    baseUrl,
    apiUrl,
    smtpServer: smtpUrl === undefined ? null : serverOf(new URL(smtpUrl)),
    dataDir,
    egressAllow: [...new Set(egressAllow.map(showEgressRule))].sort(),
    retentionDays,
  };
};

const serverOf = ({ protocol, host }: URL): string => `${protocol}//${host}`;
