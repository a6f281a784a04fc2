import { Logger, run } from 'graphile-worker';
import { z } from 'zod';
import { channelKinds } from '../src/shared/messages/channels/kinds.ts';
import { attemptDelivery } from '../src/activities/attempt-delivery.ts';
import { createApp } from '../src/api/app.ts';
import { describeInstallation } from '../src/api/installation.ts';
import { createVisitorStreams } from '../src/api/webchat/visitor-streams.ts';
import { createReads } from '../src/api/reads.ts';
import { createStreams } from '../src/api/stream/streams.ts';
import { listen } from '../src/service/listen.ts';
import { runProcess } from '../src/service/process.ts';
import { requireServers } from '../src/service/required-servers.ts';
import { connectDatabase, type Database } from '../src/shared/platform/db/connect.ts';
import { migrate } from '../src/shared/platform/db/migrate.ts';
import { type EventTransact, withReactions } from '../src/shared/facts/tell.ts';
import { reactions } from '../src/shared/reactions.ts';
import { connectForMessages, createInboundStatements } from '../src/shared/messages/inbound/share-statements.ts';
import { transactionOn } from '../src/shared/platform/dispatch/transact.ts';
import type { WorkItem } from '../src/shared/platform/dispatch/work.ts';
import { createEgress } from '../src/shared/platform/egress/client.ts';
import { newUuid, showId } from '../src/shared/ids.ts';
import { createLog } from '../src/shared/platform/log.ts';
import { createTokens } from '../src/shared/credentials/oauth2/tokens.ts';
import { judgeHere } from '../src/shared/external-requests/judge-on-thread.ts';
import { redactHere } from '../src/shared/external-requests/redact-on-thread.ts';
import { connectForStreams, createOthersHearing } from '../src/shared/hints/hear-others.ts';
import { createLiveHub } from '../src/shared/messages/live/hub.ts';
import { createTopicTeller } from '../src/shared/hints/tell-topics.ts';
import { createMedia } from '../src/shared/media/media.ts';
import { createArrivals } from '../src/shared/messages/channels/arrivals/arrivals.ts';
import { createBeatTellers } from '../src/service/beat-tellers.ts';
import { createCheckOnThread } from '../src/shared/flows/check-on-thread.ts';
import { createSimulateOnThread } from '../src/shared/runs/simulator/simulate-on-thread.ts';
import { createThreads } from '../src/shared/platform/threads/threads.ts';
import { createMetrics } from '../src/service/metrics.ts';
import { createSecrets } from '../src/shared/platform/secrets/seal.ts';

const job = z.object({
  deliveryId: z.string(),
  round: z.number(),
  kind: z.literal('scheduled'),
  number: z.literal(1),
});

/** Concurrent jobs. More of them gain nothing on two cores. */
const concurrency = 24;

// A yardstick: Parley's API, database and attempts, with a plain queue on PostgreSQL instead of Temporal. A job is written in the transaction
// of its event, which is the fastest way to use this queue. It has no retries and no timers.
await runProcess(async () => {
  const { config, masterKey, database } = requireServers(process.env);
  const log = createLog(config.logLevel);
  const db = connectDatabase(database);
  await migrate(db);
  const secrets = createSecrets(masterKey);
  const egress = createEgress({ allow: config.egressAllow, extraCa: config.egressCa });
  const transact = transactWithJobs(db);
  const metrics = createMetrics();
  const attempt = attemptDelivery({ db, transact, tellTopics: () => {}, egress, secrets, metrics, log });
  const runner = await run({
    connectionString: database,
    concurrency,
    maxPoolSize: concurrency + 2,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: { deliver: async (payload) => void (await attempt(job.parse(payload))) },
  });
  const health = async () => ({ postgres: 'up', temporal: 'up', worker: 'up', starts: 'up' }) as const;
  const processId = newUuid();
  const teller = createTopicTeller({ sql: db, processId, log });
  const { presenceTeller, typingTeller } = createBeatTellers({ sql: db, processId, log });
  const forStreams = connectForStreams(database);
  const others = createOthersHearing({ forStreams, processId, log });
  const reads = createReads(db);
  const live = createLiveHub({ db: forStreams.db, teller, others, log });
  const media = createMedia(config, secrets);
  const visitorStreams = createVisitorStreams({
    db,
    reads,
    live,
    presenceTeller,
    others,
    baseUrl: config.baseUrl,
    linkTo: media.linkTo,
    log,
  });
  const arrivals = createArrivals({ db, transact, autocommit: transact, egress, media, secrets, channelKinds, log });
  const [temporal, workflowUrl] = [() => undefined, () => undefined];
  const threads = createThreads();
  const parts = {
    config,
    installation: describeInstallation(config, {
      temporalUiUrl: undefined,
      workflowsUrl: undefined,
      hasTestEndpoint: false,
    }),
    db,
    transact,
    autocommit: transact,
    tellTopics: teller.tell,
    inbound: createInboundStatements({ db, forMessages: connectForMessages(database) }),
    reads,
    egress,
    callEgress: egress,
    tokens: createTokens({ transact, secrets, egress, log, metrics, baseUrl: config.baseUrl }),
    judgeResponse: judgeHere,
    redactBody: redactHere,
    checkDraft: createCheckOnThread(threads, config.egressAllow),
    simulate: createSimulateOnThread(threads),
    secrets,
    channelKinds,
    media,
    log,
    health,
    processId,
    temporal,
    workflowUrl,
    metrics,
    presenceTeller,
    typingTeller,
    live,
    visitorStreams,
    arrivals,
    streams: createStreams({ forStreams, teller, presenceTeller, typingTeller, others, log }),
  };
  const app = createApp(parts);
  const handle = app.callback();
  const server = await listen((request, response) => void handle(request, response), {
    name: 'PORT',
    host: config.host,
    port: config.port,
  });
  return {
    log,
    stop: async () => {
      await server.stop();
      await arrivals.stop();
      await runner.stop();
      await egress.close();
      await db.end({ timeout: 5 });
    },
  };
});

function transactWithJobs(db: Database): EventTransact {
  return withReactions(reactions, async (work) => {
    const { result } = await db.begin(async (sql) => {
      const items: WorkItem[] = [];
      const written = await work(transactionOn(sql, items));
      for (const { work: kind, row } of items) {
        if (kind.kind !== 'delivery') continue;
        const payload = { deliveryId: showId('delivery', row.id), round: 1, kind: 'scheduled', number: 1 };
        await sql`select graphile_worker.add_job('deliver', ${sql.json(payload)}::json)`;
      }
      return { result: written };
    });
    return result;
  });
}
