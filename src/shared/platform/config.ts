import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { sayIssue } from './say-issue.ts';
import { readSecretFiles } from './secret-files.ts';
import { parseEgressAllow, type EgressRule } from './egress/addresses.ts';
import { parseTrustProxy, trustsNobody, type TrustsProxy } from './trust-proxy.ts';

const port = z.coerce.number().int().min(1).max(65_535);

const origin = z.string().transform((text, ctx) => {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.username) return url.origin;
  ctx.addIssue({ code: 'custom', message: 'must be an http(s) origin such as https://parley.example.com' });
  return z.NEVER;
});

const connectionUrl = (...protocols: string[]) =>
  z.string().refine((text) => protocols.includes(URL.parse(text)?.protocol ?? ''), {
    message: `must be a ${protocols.map((name) => `${name}//`).join(' or ')} address`,
  });

const masterKey = z.string().transform((text, ctx) => {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length === 32) return key;
  ctx.addIssue({ code: 'custom', message: 'must be 32 bytes in base64 or hex (make one: openssl rand -base64 32)' });
  return z.NEVER;
});

/** A setting that `parse` reads. An error that it throws becomes a problem of the setting. */
const parsedBy = <Parsed>(parse: (text: string) => Parsed) =>
  z.string().transform((text, ctx): Parsed => {
    try {
      return parse(text);
    } catch (error) {
      ctx.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });

const egressAllow = parsedBy<EgressRule[]>(parseEgressAllow);
const trustProxy = parsedBy<TrustsProxy>(parseTrustProxy);

const pemFile = z.string().transform((path, ctx) => {
  try {
    const pem = readFileSync(path, 'utf8');
    if (holdsCertificate(pem)) return pem;
    ctx.addIssue({ code: 'custom', message: 'holds no PEM certificate' });
  } catch {
    ctx.addIssue({ code: 'custom', message: `cannot be read (${resolve(path)})` });
  }
  return z.NEVER;
});

const holdsCertificate = (pem: string): boolean => {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
};

/** Which deliveries get a workflow after their first attempt: every one while there is room, or only those that failed. */
export const workflowPerDelivery = ['every', 'on-failure'] as const;

/** What installations of 0.3 have set, beside `on-failure`. */
const formerly = new Set<unknown>(['always', 'unless-behind']);

/** Where Telegram serves its Bot API. */
export const telegramApiUrl = 'https://api.telegram.org';

/** How long the logs are kept, in days. Less than a week would drop deliveries that are still retried. */
export const retentionDays = z.coerce.number().int().min(7).max(10_000);

const environment = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(8080),
    BASE_URL: origin.optional(),
    API_URL: origin.optional(),
    TRUST_PROXY: trustProxy.default(() => trustsNobody),
    DATA_DIR: z
      .string()
      .default('data')
      .transform((path) => resolve(path)),
    DATABASE_URL: connectionUrl('postgres:', 'postgresql:').optional(),
    TEMPORAL_ADDRESS: z.string().optional(),
    TEMPORAL_UI_URL: connectionUrl('http:', 'https:').optional(),
    MASTER_KEY: masterKey.optional(),
    MASTER_KEY_PREVIOUS: masterKey.optional(),
    SMTP_URL: connectionUrl('smtp:', 'smtps:').optional(),
    MAIL_FROM: z.string().default('Parley <parley@localhost>'),
    EGRESS_ALLOW: egressAllow.default([]),
    EGRESS_CA_FILE: pemFile.optional(),
    TELEGRAM_API_URL: origin.default(telegramApiUrl),
    TELEGRAM_UPDATES: z.enum(['webhook', 'poll']).optional(),
    TEST_ENDPOINT: z.enum(['on', 'off']).optional(),
    RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(6000),
    RETENTION_DAYS: retentionDays.default(90),
    MEDIA_MEGABYTES: z.coerce.number().int().min(1).max(100_000_000).default(5_000),
    MEDIA_FILES: z.coerce.number().int().min(1).max(100_000_000).default(50_000),
    MEDIA_RETENTION_DAYS: retentionDays.optional(),
    WORKFLOW_PER_DELIVERY: z.preprocess(
      (value) => (formerly.has(value) ? 'every' : value),
      z.enum(workflowPerDelivery).default('every'),
    ),
    METRICS_PORT: port.default(9464),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    OTEL_EXPORTER_OTLP_ENDPOINT: connectionUrl('http:', 'https:').optional(),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: connectionUrl('http:', 'https:').optional(),
    // The exporter itself reads this, as it does the other standard variables of OTLP.
    OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
    OTEL_SERVICE_NAME: z.string().default('parley'),
    OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  })
  .refine((env) => env.DATABASE_URL === undefined || env.MASTER_KEY !== undefined, {
    path: ['MASTER_KEY'],
    message:
      'is required with DATABASE_URL: every process of the installation needs the same one (make one: openssl rand -base64 32)',
  })
  .refine((env) => env.TEST_ENDPOINT !== 'on' || env.DATABASE_URL === undefined, {
    path: ['TEST_ENDPOINT'],
    message:
      'cannot be on with DATABASE_URL: several processes may serve then, and only the one that listens could call it. Use npm start without DATABASE_URL, or npm run receiver',
  });

/** Where traces go: the collector's url for them, the name they come under, and the share of them that is kept. */
export type TracesConfig = { url: string; serviceName: string; ratio: number };

/** The settings of one process, parsed and checked; times, ports and sizes are numbers. */
export type Config = ReturnType<typeof parseConfig>;

/** Settings that are wrong, all of them at once. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`These settings are wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Parses the environment. An empty variable counts as not set. Throws a `ConfigError` that names every wrong setting. Its message has no values,
 * because they may be secrets.
 */
export const parseConfig = (env: Record<string, string | undefined>) => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const { settings: complete, problems } = readSecretFiles(given);
  const parsed = environment.safeParse(complete, { error: sayIssue });
  if (!parsed.success || problems.length > 0) {
    const issues = parsed.error?.issues ?? [];
    throw new ConfigError([...problems, ...issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)]);
  }
  const settings = parsed.data;
  const baseUrl = settings.BASE_URL ?? `http://localhost:${settings.PORT}`;
  return {
    host: settings.HOST,
    port: settings.PORT,
    baseUrl,
    apiUrl: settings.API_URL ?? baseUrl,
    trustProxy: settings.TRUST_PROXY,
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL,
    temporalAddress: settings.TEMPORAL_ADDRESS,
    temporalUiUrl: settings.TEMPORAL_UI_URL?.replace(/\/+$/, ''),
    masterKey: settings.MASTER_KEY,
    masterKeyPrevious: settings.MASTER_KEY_PREVIOUS,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    egressAllow: settings.EGRESS_ALLOW,
    egressCa: settings.EGRESS_CA_FILE,
    testEndpoint: (settings.TEST_ENDPOINT ?? (settings.DATABASE_URL === undefined ? 'on' : 'off')) === 'on',
    telegram: {
      apiUrl: settings.TELEGRAM_API_URL,
      updates: settings.TELEGRAM_UPDATES ?? (baseUrl.startsWith('https:') ? 'webhook' : 'poll'),
    },
    rateLimitPerMinute: settings.RATE_LIMIT_PER_MINUTE,
    retentionDays: settings.RETENTION_DAYS,
    mediaQuota: { bytes: settings.MEDIA_MEGABYTES * 1024 * 1024, files: settings.MEDIA_FILES },
    mediaRetentionDays: settings.MEDIA_RETENTION_DAYS,
    workflowPerDelivery: settings.WORKFLOW_PER_DELIVERY,
    metricsPort: settings.METRICS_PORT,
    logLevel: settings.LOG_LEVEL,
    traces: tracesOf(settings),
  };
};

/** The general endpoint is a base, the one for traces is the whole address, as OpenTelemetry has it. */
const tracesOf = (settings: z.infer<typeof environment>): TracesConfig | undefined => {
  const base = settings.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/$/, '');
  const url = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base}/v1/traces`);
  return url ? { url, serviceName: settings.OTEL_SERVICE_NAME, ratio: settings.OTEL_TRACES_SAMPLER_ARG } : undefined;
};
