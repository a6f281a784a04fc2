import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { request as sendRequest } from 'undici';
import { afterAll } from 'vitest';
import { createApp } from '../../src/api/app.ts';
import { describeInstallation } from '../../src/api/installation.ts';
import { sessionCookieName } from '../../src/api/session-cookie.ts';
import type { ApiDeps, HealthReport } from '../../src/api/http.ts';
import { connectReads, createReads, type ReadsOptions } from '../../src/api/reads.ts';
import type { MakeResource } from '../../src/api/resources.ts';
import { createVisitorStreams, type VisitorStreamsOptions } from '../../src/api/webchat/visitor-streams.ts';
import { createStreams, type StreamsOptions } from '../../src/api/stream/streams.ts';
import { connectForStreams, createOthersHearing } from '../../src/shared/hints/hear-others.ts';
import { createLiveHub } from '../../src/shared/messages/live/hub.ts';
import { createTopicTeller } from '../../src/shared/hints/tell-topics.ts';
import type { CreatedAccount } from '../../src/shared/accounts/create-account.ts';
import { connectForMessages, createInboundStatements } from '../../src/shared/messages/inbound/share-statements.ts';
import { channelKinds as ourKinds, type ChannelKinds } from '../../src/shared/messages/channels/kinds.ts';
import type { Plan } from '../../src/shared/accounts/plans.ts';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import type { Database, DatabaseTarget } from '../../src/shared/platform/db/connect.ts';
import { createAutocommit, createTransact } from '../../src/shared/platform/dispatch/transact.ts';
import { reactions } from '../../src/shared/reactions.ts';
import { createWrites } from '../../src/shared/platform/dispatch/writes.ts';
import type { WorkItem } from '../../src/shared/platform/dispatch/work.ts';
import { parseConfig } from '../../src/shared/platform/config.ts';
import { parseEgressAllow } from '../../src/shared/platform/egress/addresses.ts';
import { createTokens } from '../../src/shared/credentials/oauth2/tokens.ts';
import { createJudgeOnThread } from '../../src/shared/external-requests/judge-on-thread.ts';
import { createRedactOnThread } from '../../src/shared/external-requests/redact-on-thread.ts';
import { createCheckOnThread } from '../../src/shared/flows/check-on-thread.ts';
import { createSimulateOnThread } from '../../src/shared/runs/simulator/simulate-on-thread.ts';
import { createThreads } from '../../src/shared/platform/threads/threads.ts';
import { createEgress } from '../../src/shared/platform/egress/client.ts';
import type { Logger } from '../../src/shared/platform/log.ts';
import { createBeatTellers } from '../../src/service/beat-tellers.ts';
import { listen, type Limits } from '../../src/service/listen.ts';
import { serveTestEndpoint, type ServedTestEndpoint } from '../../src/service/test-endpoint.ts';
import { newUuid } from '../../src/shared/ids.ts';
import { createMetrics } from '../../src/service/metrics.ts';
import { createSecrets } from '../../src/shared/platform/secrets/seal.ts';
import { trustsNobody } from '../../src/shared/platform/trust-proxy.ts';
import { createWorkflowUrl } from '../../src/shared/platform/temporal/workflow-url.ts';
import type { MediaQuota } from '../../src/shared/media/queries.ts';
import { createMedia } from '../../src/shared/media/media.ts';
import { createArrivals } from '../../src/shared/messages/channels/arrivals/arrivals.ts';
import { anAccount } from './accounts.ts';
import { createTestDatabase } from './database.ts';
import { tempFolder } from './temp-folder.ts';
import { checkAnswers } from './documented.ts';
import { testCa } from './tls.ts';
import { withToldReactions, withToldTopics } from './told-topics.ts';

type Handler = Parameters<typeof listen>[0];

export type ApiOptions = {
  config?: Partial<ApiDeps['config']>;
  health?: HealthReport;
  /** Whether the installation says that it sends mails; no when not given. */
  sendsMail?: boolean;
  /** What the egress guard lets through; the loopback addresses when not given. */
  egressAllow?: string;
  /** Temporal's client, where a test brings a server; away when not given. */
  temporal?: ApiDeps['temporal'];
  /** What carries out what it dispatches, on whose database it works; a database of its own when not given. */
  world?: Pick<ApiDeps, 'db' | 'transact' | 'secrets'> &
    Partial<Pick<ApiDeps, 'autocommit' | 'metrics' | 'egress' | 'reads' | 'tokens'>> & {
      target: DatabaseTarget;
      tested?: ServedTestEndpoint | undefined;
    };
  reads?: ReadsOptions;
  /** Bounds and pauses of the stream of hints. */
  streaming?: Omit<StreamsOptions, 'forStreams' | 'teller' | 'presenceTeller' | 'typingTeller' | 'others' | 'log'> & {
    gapsEveryMs?: number;
  };
  /** Bounds and pauses of the streams of visitors. */
  visitors?: Partial<VisitorStreamsOptions>;
  /** How long clients may take. */
  limits?: Partial<Limits>;
  /** Whether there is a test endpoint; none when not given. */
  testEndpoint?: boolean;
  /** What is served; everything when not given. */
  resources?: readonly MakeResource[];
  /** The kinds of channels; those of the product when not given. */
  channelKinds?: ChannelKinds;
  /** What an account may keep; the default when not given. */
  mediaQuota?: MediaQuota;
  /** The clock by which files of services are waited for, in ms. */
  filesClock?: () => number;
  /** Where lines go instead of `logged`. */
  log?: Logger;
};

/** An account with its first key, its owner, and a session of the owner; ids are UUIDs. */
export type TestAccount = CreatedAccount & { session: string };

export type Outgoing = {
  /** Sent as JSON; a Buffer or a string as it is. */
  body?: unknown;
  headers?: Record<string, string | string[]>;
  /** An API key, sent as Bearer. */
  key?: string;
  /** A session's token, sent as the dashboard does: cookie and Origin. */
  session?: string;
};

export type Incoming<Body> = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Body;
  text: string;
};

export type TestApi = {
  url: string;
  deps: ApiDeps;
  db: Database;
  target: DatabaseTarget;
  /** The workflows that committed transactions asked for, in order. */
  dispatched: WorkItem[];
  /** DATA_DIR of its files. */
  mediaDir: string;
  /** What streams of visitors are made of. */
  visitorDeps: VisitorStreamsOptions;
  /** The lines logged so far. */
  logged: string[];
  createAccount: (options?: { plan?: Plan; email?: string }) => Promise<TestAccount>;
  /** `Body` is what the caller expects to get, undefined for what is no JSON; it is not checked. */
  request: <Body = unknown>(method: string, path: string, outgoing?: Outgoing) => Promise<Incoming<Body>>;
  /** Throws when an answer since the last `request` was not as the OpenAPI document says, or a change was not told. */
  requireDocumented: () => void;
  stop: () => Promise<void>;
};

/** The real API on a loopback port with a database of its own. Nobody carries out what it dispatches. */
export const startApi = async ({
  config,
  health,
  sendsMail = false,
  egressAllow = '127.0.0.0/8,::1',
  temporal = () => undefined,
  world,
  reads = {},
  streaming = {},
  visitors = {},
  limits = {},
  testEndpoint = false,
  resources,
  channelKinds = ourKinds,
  mediaQuota = parseConfig({}).mediaQuota,
  filesClock,
  log,
}: ApiOptions = {}): Promise<TestApi> => {
  const { db, target, drop } = world ? { ...world, drop: async () => {} } : await createTestDatabase();
  const forReads = connectReads(target);
  const forMessages = connectForMessages(target);
  const forStreams = connectForStreams(target);
  let handle: Handler = () => {};
  const place = { name: 'PORT', host: '127.0.0.1', port: 0, limits };
  const server = await listen((incoming, outgoing) => handle(incoming, outgoing), place);
  const url = `http://127.0.0.1:${server.port}`;
  const dispatched: WorkItem[] = [];
  const dispatch = (items: readonly WorkItem[]): number => dispatched.push(...items);
  const writes = createWrites(db);
  const logged: string[] = [];
  const threads = createThreads();
  const settings = { baseUrl: url, apiUrl: url, trustProxy: trustsNobody, rateLimitPerMinute: 100_000, ...config };
  const temporalUiUrl = 'http://temporal.example';
  const logger = log ?? pino({ level: 'debug' }, linesInto(logged));
  const secrets = world?.secrets ?? createSecrets(randomBytes(32));
  const mediaDir = tempFolder('media');
  const media = createMedia({ ...settings, dataDir: mediaDir, mediaQuota }, secrets);
  const dataDir = testEndpoint ? tempFolder('endpoint') : undefined;
  const ours = dataDir === undefined ? undefined : await serveTestEndpoint({ dataDir, db, secrets, log: logger });
  const tested = world?.tested ?? ours;
  const findOwn = tested?.find;
  const egress =
    world?.egress ?? createEgress({ allow: parseEgressAllow(egressAllow), extraCa: testCa().certPem, findOwn });
  const processId = newUuid();
  const teller = createTopicTeller({ sql: db, processId, log: logger });
  const beatTellers = createBeatTellers({ sql: db, processId, log: logger });
  const { presenceTeller, typingTeller } = beatTellers;
  const { gapsEveryMs = 1_000, ...streamsOptions } = streaming;
  const others = createOthersHearing({ forStreams, processId, log: logger, gapsEveryMs });
  const live = createLiveHub({ db: forStreams.db, teller, others, log: logger });
  const hearing = { forStreams, teller, presenceTeller, typingTeller, others };
  const streams = createStreams({ ...hearing, log: logger, ...streamsOptions });
  const ownReads = world?.reads ?? createReads(forReads, reads);
  const visitorDeps = {
    db,
    reads: ownReads,
    live,
    presenceTeller,
    others,
    baseUrl: settings.baseUrl,
    linkTo: media.linkTo,
    log: logger,
  };
  const visitorStreams = createVisitorStreams({ ...visitorDeps, ...visitors });
  const faults: string[] = [];
  const onUntold = (fault: string): void => void faults.push(fault);
  const told = { tellTopics: teller.tell, onUntold };
  const transact = world?.transact ?? withToldReactions(reactions, createTransact(db, dispatch, writes), told);
  const autocommit = world?.autocommit ?? withToldTopics(createAutocommit(db, dispatch, writes), db, told);
  const arrivals = createArrivals(
    { db, transact, autocommit, egress, media, secrets, channelKinds, log: logger },
    filesClock && { now: filesClock },
  );
  const deps: ApiDeps = {
    config: settings,
    installation: describeInstallation(
      { ...parseConfig({}), ...settings, ...(sendsMail && { smtpUrl: 'smtp://127.0.0.1' }) },
      {
        temporalUiUrl,
        workflowsUrl: `${temporalUiUrl}/namespaces/default/workflows`,
        hasTestEndpoint: tested !== undefined,
      },
    ),
    db,
    transact,
    autocommit,
    tellTopics: teller.tell,
    inbound: createInboundStatements({ db, forMessages }),
    reads: ownReads,
    egress,
    callEgress: egress,
    tokens:
      world?.tokens ?? createTokens({ transact, secrets, egress, log: logger, metrics: createMetrics(), baseUrl: url }),
    judgeResponse: createJudgeOnThread(threads),
    redactBody: createRedactOnThread(threads),
    simulate: createSimulateOnThread(threads),
    checkDraft: createCheckOnThread(threads, parseEgressAllow(egressAllow), findOwn),
    testEndpoint: tested?.endpoint,
    secrets,
    channelKinds,
    media,
    log: logger,
    health: async () => health ?? { postgres: 'up', temporal: 'up', worker: 'up', starts: 'up' },
    processId,
    temporal,
    workflowUrl: createWorkflowUrl({ uiUrl: temporalUiUrl, embedded: true }),
    metrics: world?.metrics ?? createMetrics(),
    streams,
    live,
    visitorStreams,
    arrivals,
    presenceTeller,
    typingTeller,
  };
  const app = createApp(deps, resources);
  if (!resources) checkAnswers(app, deps, (fault) => faults.push(fault));
  const requireDocumented = (): void => {
    const found = faults.splice(0);
    if (found.length > 0) throw new Error(found.join('\n'));
  };
  handle = app.callback();

  return {
    url,
    deps,
    db,
    target,
    dispatched,
    mediaDir,
    visitorDeps,
    logged,
    requireDocumented,
    createAccount: async (options) => {
      const account = await anAccount(deps, options);
      return { ...account, session: await createSession(db, account.userId) };
    },
    request: async (method, path, { body, headers = {}, key, session } = {}) => {
      const raw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
      const answer = await sendRequest(`${url}${path}`, {
        method,
        body: raw ? (body ?? null) : JSON.stringify(body),
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(session !== undefined && {
            cookie: `${sessionCookieName(deps.config)}=${session}`,
            origin: deps.config.baseUrl,
          }),
          ...headers,
        },
      });
      // A stream ends when somebody ends it.
      const lasts = String(answer.headers['content-type']).startsWith('text/event-stream');
      if (lasts) answer.body.on('error', () => {}).destroy();
      const text = lasts ? '' : await answer.body.text();
      requireDocumented();
      return {
        status: answer.statusCode,
        headers: answer.headers,
        body: text !== '' && String(answer.headers['content-type']).includes('json') ? JSON.parse(text) : undefined,
        text,
      };
    },
    stop: async () => {
      await arrivals.stop();
      await visitorStreams.stop();
      await live.stop();
      await streams.stop();
      await server.stop();
      await deps.egress.close();
      await ours?.stop();
      if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
      await threads.stop();
      await media.stop();
      await rm(mediaDir, { recursive: true, force: true });
      await forReads.end({ timeout: 5 });
      await forMessages.end({ timeout: 5 });
      await teller.stop();
      await beatTellers.stop();
      await forStreams.db.end({ timeout: 5 });
      await drop();
      requireDocumented();
    },
  };
};

/** The API of a whole test file, stopped after it. */
export const useApi = async (options: ApiOptions = {}): Promise<TestApi> => {
  const api = await startApi(options);
  afterAll(() => api.stop());
  return api;
};

const linesInto = (lines: string[]): Writable =>
  new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
