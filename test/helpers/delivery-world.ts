import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Client } from '@temporalio/client';
import { pino } from 'pino';
import { vi } from 'vitest';
import { attemptDelivery } from '../../src/activities/attempt-delivery.ts';
import { createActivities, type Activities } from '../../src/activities/index.ts';
import type { Database, DatabaseTarget } from '../../src/shared/platform/db/connect.ts';
import { createAutocommit, createTransact } from '../../src/shared/platform/dispatch/transact.ts';
import { reactions } from '../../src/shared/reactions.ts';
import { tellPass } from '../../src/activities/tell-run.ts';
import { createAdvance, leaveToWorkflows } from '../../src/shared/runs/engine/advance-in-transaction.ts';
import { createRunMarks } from '../../src/shared/runs/life/run-marks.ts';
import { runWork } from '../../src/shared/runs/work.ts';
import { createVersions } from '../../src/shared/runs/engine/versions.ts';
import { createOutbox, type Outbox } from '../../src/shared/deliveries/outbox/outbox.ts';
import { connectForBatches } from '../../src/shared/deliveries/outbox/statements.ts';
import { nobody } from '../../src/shared/platform/processes/own-process.ts';
import type { AttemptKey, DeliveryEnd, DeliveryStatus } from '../../src/shared/deliveries/types.ts';
import { createDispatcher, type Dispatcher } from '../../src/shared/platform/dispatch/dispatcher.ts';
import type { Config } from '../../src/shared/platform/config.ts';
import { createPressure } from '../../src/shared/platform/dispatch/pressure.ts';
import { createSpareStarts } from '../../src/shared/platform/dispatch/spare-starts.ts';
import { createStarts } from '../../src/shared/platform/dispatch/start-once.ts';
import { createFirstPasses, type FirstPasses } from '../../src/shared/platform/dispatch/first-passes.ts';
import { outboxOf, type Outbox as OutboxOf, type WorkItem } from '../../src/shared/platform/dispatch/work.ts';
import { createSweep, type Sweep } from '../../src/shared/platform/dispatch/sweep.ts';
import { createWrites } from '../../src/shared/platform/dispatch/writes.ts';
import { parseEgressAllow } from '../../src/shared/platform/egress/addresses.ts';
import { createEgress, type Egress } from '../../src/shared/platform/egress/client.ts';
import type { Lookup } from '../../src/shared/platform/egress/lookup.ts';
import type { Advance, EventAutocommit, EventTransact } from '../../src/shared/facts/tell.ts';
import type { TellTopics } from '../../src/shared/facts/topics.ts';
import type { Variant } from '../../src/shared/facts/names.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { createTokens, type Tokens } from '../../src/shared/credentials/oauth2/tokens.ts';
import type { Logger } from '../../src/shared/platform/log.ts';
import type { Mailer } from '../../src/shared/mail/mailer.ts';
import { createMetrics, type Metrics } from '../../src/service/metrics.ts';
import { serveTestEndpoint, type ServedTestEndpoint } from '../../src/service/test-endpoint.ts';
import { createMediaLinks } from '../../src/shared/media/links.ts';
import type { LinkTo } from '../../src/shared/media/schema.ts';
import { createSecrets, type Secrets } from '../../src/shared/platform/secrets/seal.ts';
import { channelKinds as ourKinds, type ChannelKinds } from '../../src/shared/messages/channels/kinds.ts';
import { anAccount, insertWebhook } from './accounts.ts';
import { createOwnRequests, type OwnRequests } from '../../src/service/own-requests.ts';
import { createTestDatabase } from './database.ts';
import { tempFolder } from './temp-folder.ts';
import { testCa } from './tls.ts';
import { withToldReactions, withToldTopics } from './told-topics.ts';
import { createLaneOutbox, type LaneOutbox } from '../../src/shared/messages/outbound/outbox/outbox.ts';
import { works } from '../../src/shared/works.ts';
import { deliveriesOf } from './items.ts';
import { createContact } from '../../src/shared/contacts/queries.ts';

type AttemptRow = {
  round: number;
  kind: AttemptKey['kind'];
  number: number;
  outcome: 'succeeded' | 'failed';
  reason: string | null;
  detail: string | null;
  statusCode: number | null;
  durationMs: number;
  address: string | null;
  requestHeaders: Record<string, string> | null;
  responseHeaders: Record<string, string | string[]> | null;
  responseBody: Uint8Array | null;
  responseTruncated: boolean;
};

type DeliveryRow = {
  id: string;
  status: DeliveryStatus;
  round: number;
  attemptsMade: number;
  resumes: number;
  body: Uint8Array;
  withoutWorkflow: boolean;
  nextAttemptAt: Date | null;
  sweepAt: Date | null;
};

/** Everything that a delivery needs, with a database of its own; Temporal is the test's to bring. */
export type DeliveryWorld = OwnRequests & {
  firstPasses: FirstPasses;
  db: Database;
  /** Where that is, for processes and commands on it. */
  target: DatabaseTarget;
  transact: EventTransact;
  autocommit: EventAutocommit;
  /** How many transactions wait for a place among those under way. */
  writesWaiting: () => number;
  secrets: Secrets;
  tokens: Tokens;
  channelKinds: ChannelKinds;
  config: { baseUrl: string };
  log: Logger;
  egress: Egress;
  /** Where it is to have one. */
  tested: ServedTestEndpoint | undefined;
  activities: Activities;
  /** Makes an attempt as its activity does, and answers its result also where the activity fails to show it. */
  attempt: ReturnType<typeof attemptDelivery>;
  metrics: Metrics;
  dispatcher: Dispatcher;
  outbox: Outbox;
  lanes: LaneOutbox;
  sweep: Sweep;
  lastingLinkTo: LinkTo;
  /** What committed transactions asked for, in order. */
  dispatched: WorkItem[];
  accountId: string;
  contactId: string;
  /** From now on workflows are started with this client; without one, nothing is started. */
  useClient: (client: Client | undefined) => void;
  /** Inserts an active webhook and answers its UUID. */
  aWebhook: (webhook: { url: string; variant?: Variant; secret?: string; events?: string[] }) => Promise<string>;
  /** Emits an event of the account's contact and answers the UUIDs of the deliveries asked for, in their webhooks' order. */
  anEvent: (text?: string) => Promise<string[]>;
  delivery: (id: string) => Promise<DeliveryRow>;
  attempts: (deliveryId: string) => Promise<AttemptRow[]>;
  /** Resolves when so many attempts of a delivery are recorded. */
  attemptsOf: (deliveryId: string, count: number) => Promise<void>;
  firstAttempt: (deliveryId: string) => Promise<void>;
  /** Resolves when what was committed is sent, recorded, and has its workflow if it is to have one. */
  drain: () => Promise<void>;
  /** How the first round of a delivery ended: what its workflow says, or the log where it needed none. */
  ended: (deliveryId: string) => Promise<DeliveryEnd>;
  stop: () => Promise<void>;
};

export type DeliveryWorldOptions = {
  mailer?: Mailer;
  eager?: boolean;
  /** Whether first attempts go out after each commit. If not, as unless told, nothing goes out but what the test itself carries out. */
  sends?: boolean;
  attemptsPerWebhook?: number;
  /** Whether messages go from the outbox, as in processes that work for `messages`. If not, workflows send them. */
  sendsMessages?: boolean;
  attemptsPerChannel?: number;
  secrets?: Secrets;
  log?: Logger;
  /** Who looks up names; the system's name servers when not given. */
  lookup?: Lookup;
  /** Whether there is a test endpoint; none when not given. */
  testEndpoint?: boolean;
  /** Hears of each hand-over to the dispatcher, at its moment. */
  onDispatch?: (items: readonly WorkItem[]) => void;
  /** Whether processes of the version before are gone for good, as they are unless told otherwise. */
  settled?: () => boolean;
  /** The setting WORKFLOW_PER_DELIVERY. */
  workflowPerDelivery?: Config['workflowPerDelivery'];
  /** Whether the client's Temporal answers, as it does unless told otherwise. */
  temporalAnswers?: () => boolean;
  /** The kinds of channels; those of the product when not given. */
  channelKinds?: ChannelKinds;
  /** Hears what each commit has changed of what pages show. */
  tellTopics?: TellTopics;
  /** Whether the database has a clock that the test moves (`movable-clock.ts`). */
  movesClock?: boolean;
  /** Whether runs make passes in the transactions that cause them. If not, as unless told, all are left to workflows: a test makes them itself. */
  passes?: () => boolean;
};

const noMailer: Mailer = { send: async () => 'sent', close: () => {} };

/** The real activities, egress (loopback let through), dispatcher and sweep, on a database of the test's own. */
export const startDeliveryWorld = async ({
  mailer = noMailer,
  eager = true,
  sends = false,
  attemptsPerWebhook,
  sendsMessages = false,
  attemptsPerChannel,
  secrets = createSecrets(randomBytes(32)),
  log = pino({ level: process.env.TEST_LOG ?? 'silent' }),
  lookup,
  testEndpoint = false,
  onDispatch = () => {},
  settled = () => true,
  workflowPerDelivery = 'every',
  temporalAnswers = () => true,
  channelKinds = ourKinds,
  tellTopics = () => {},
  movesClock = false,
  passes = () => false,
}: DeliveryWorldOptions = {}): Promise<DeliveryWorld> => {
  const { target, db, drop } = await createTestDatabase({ movesClock });
  const forBatches = connectForBatches(target);
  const dataDir = testEndpoint ? tempFolder('endpoint') : undefined;
  const tested = dataDir === undefined ? undefined : await serveTestEndpoint({ dataDir, db, secrets, log });
  const findOwn = tested?.find;
  const egress = createEgress({ allow: parseEgressAllow('127.0.0.0/8'), extraCa: testCa().certPem, lookup, findOwn });
  let temporal: Client | undefined;
  const client = () => temporal;
  const firstPasses = createFirstPasses();
  const observed = { metrics: createMetrics(), log };
  const dispatched: WorkItem[] = [];
  const outboxes = (): readonly OutboxOf[] => (sendsMessages ? [outbox, lanes] : [outbox]);
  const isFirst = (item: WorkItem): boolean => outboxOf([outbox], item) !== undefined;
  const hand = (items: readonly WorkItem[]): void => {
    dispatched.push(...items);
    onDispatch(items);
    dispatcher.dispatch(sends ? items : items.filter((item) => !isFirst(item)));
  };
  const writes = createWrites(db);
  const addresses = { baseUrl: 'https://app.parley.example', apiUrl: 'https://api.parley.example' };
  const { lastingLinkTo } = createMediaLinks(secrets, addresses);
  const requests = createOwnRequests(db, { queues: ['flows'] }, observed.metrics);
  const inTransactions = createAdvance({
    ...addresses,
    lastingLinkTo,
    readVersion: createVersions(),
    place: requests.localRequests.place,
    ...tellPass(observed),
  });
  const advance: Advance = (tx, runs) => (passes() ? inTransactions : leaveToWorkflows)(tx, runs);
  const transact = withToldReactions({ ...reactions, advance }, createTransact(db, hand, writes), { tellTopics });
  const pressure = createPressure();
  const starting = { client, eager, settled, starts: createStarts(), ...observed };
  const spareStarts = createSpareStarts({
    ...starting,
    pressure,
    onStarted: (item) => onStarted(item),
    onDropped: (item) => onDropped(item),
  });
  const ofFinished = workflowPerDelivery === 'every' ? spareStarts : undefined;
  const outbox: Outbox = createOutbox({
    ...observed,
    db,
    forBatches,
    transact,
    tellTopics,
    egress,
    secrets,
    startWorkflow: (item) => dispatcher.startWorkflow(item),
    spareStarts: ofFinished,
    pressure,
    perWebhook: attemptsPerWebhook,
  });
  const lanes = createLaneOutbox({
    ...observed,
    forBatches,
    transact,
    tellTopics,
    channelKinds,
    egress,
    secrets,
    startWorkflow: (item) => dispatcher.startWorkflow(item),
    settled,
    perChannel: attemptsPerChannel,
  });
  const runMarks = createRunMarks({ forBatches, tellTopics, log });
  const onStarted = ({ work, row }: WorkItem): void => {
    if (work.table === runWork.table) runMarks.start(row);
  };
  const onDropped = ({ work, row }: WorkItem): void => {
    if (work.table !== runWork.table) outbox.dropWorkflow(row);
  };
  const dispatcher = createDispatcher({
    ...starting,
    firstPasses,
    outboxes: outboxes(),
    spareStarts: ofFinished,
    onStarted,
    onDropped,
  });
  const known = { ...addresses, lastingLinkTo, retentionDays: 90 };
  const tokens = createTokens({ transact, secrets, egress, ...observed, ...addresses });
  const parts = {
    db,
    transact,
    tellTopics,
    egress,
    callEgress: egress,
    tokens,
    secrets,
    channelKinds,
    mailer,
    firstPasses,
    outbox,
    ...requests,
  };
  const activities = createActivities({
    ...parts,
    ...observed,
    ...known,
    dispatcher: { dispatch: hand },
  });
  const { accountId } = await anAccount({ db, secrets }, { email: 'owner@acme.example' });
  const { id: contactId } = await transact((tx) => createContact(tx, accountId, {}));

  const attempts = (deliveryId: string) => db<AttemptRow[]>`
    select round, kind, number, outcome, reason, detail, status_code, duration_ms, address, request_headers, response_headers,
      response_body, response_truncated
    from attempts where delivery_id = ${deliveryId} order by started_at, round, kind, number`;

  const delivery = async (id: string): Promise<DeliveryRow> => {
    const [row] = await db<DeliveryRow[]>`
      select id, status, round, attempts_made, resumes, body, without_workflow, next_attempt_at, sweep_at
      from deliveries where id = ${id}`;
    if (!row) throw new Error(`no delivery ${id}`);
    return row;
  };

  const sweep = createSweep({
    ...starting,
    db,
    works,
    temporalAnswers: async () => temporalAnswers(),
    outboxes: outboxes(),
  });

  /** Whether first attempts were given back, on a machine that stood still. */
  const anyGivenBack = async (): Promise<boolean> => {
    if (!sends) return false;
    const given =
      await db`select from deliveries where in_progress and attempts_made = 0 and sender = ${nobody} limit 1`;
    return given.length > 0;
  };

  const attemptsOf = async (deliveryId: string, count: number): Promise<void> => {
    const recorded = async () => {
      if ((await attempts(deliveryId)).length >= count) return true;
      if (await anyGivenBack()) await sweep();
      return false;
    };
    await vi.waitUntil(recorded, { timeout: 60_000, interval: 10 });
  };

  const drainOnce = async (): Promise<void> => {
    await dispatcher.drain();
    await outbox.drain();
    await lanes.drain();
  };

  const drain = async (): Promise<void> => {
    await drainOnce();
    while (await anyGivenBack()) {
      await sweep();
      await drainOnce();
    }
    await spareStarts.drain();
    await runMarks.drain();
  };

  return {
    db,
    target,
    transact,
    autocommit: withToldTopics(createAutocommit(db, hand, writes), db, { tellTopics }),
    writesWaiting: writes.waiting,
    secrets,
    tokens,
    ...requests,
    firstPasses,
    channelKinds,
    config: addresses,
    log,
    egress,
    tested,
    activities,
    attempt: attemptDelivery({ ...parts, ...observed }),
    metrics: observed.metrics,
    dispatcher,
    outbox,
    lanes,
    sweep,
    lastingLinkTo,
    dispatched,
    accountId,
    contactId,
    useClient: (next) => {
      temporal = next;
    },
    aWebhook: (webhook) => insertWebhook({ db, secrets }, { accountId, ...webhook }),
    anEvent: async (text = 'hello') => {
      const before = dispatched.length;
      await transact((tx) =>
        tx.tell({
          accountId,
          contactId,
          name: 'new_message',
          occurredAt: new Date(),
          message: { id: showId('message', newUuid()), text, direction: 'inbound', sent_at: new Date().toISOString() },
        }),
      );
      return deliveriesOf(dispatched.slice(before)).map(({ id }) => id);
    },
    delivery,
    attempts,
    attemptsOf,
    firstAttempt: (deliveryId) => attemptsOf(deliveryId, 1),
    drain,
    ended: async (deliveryId) => {
      await drain();
      const { withoutWorkflow, status } = await delivery(deliveryId);
      if (withoutWorkflow) return { status };
      if (!temporal) throw new Error('there is no Temporal that could say how it ended');
      return temporal.workflow.getHandle(`delivery/${showId('delivery', deliveryId)}`).result();
    },
    stop: async () => {
      outbox.close();
      lanes.close();
      spareStarts.stop();
      await dispatcher.stop();
      await outbox.drain();
      await lanes.drain();
      await spareStarts.drain();
      await egress.close();
      await tested?.stop();
      if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
      await forBatches.end();
      await drop();
    },
  };
};
