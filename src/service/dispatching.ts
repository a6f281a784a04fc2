import type { Client } from '@temporalio/client';
import { createOutbox, type Outbox, type OutboxDeps } from '../shared/deliveries/outbox/outbox.ts';
import { type EventAutocommit, type EventTransact, withReactions, withTopics } from '../shared/facts/tell.ts';
import type { TellTopics } from '../shared/facts/topics.ts';
import type { ChannelKinds } from '../shared/messages/channels/kinds.ts';
import type { OutboundMetrics } from '../shared/messages/outbound/metrics.ts';
import { createLaneOutbox } from '../shared/messages/outbound/outbox/outbox.ts';
import type { Config } from '../shared/platform/config.ts';
import type { Database } from '../shared/platform/db/connect.ts';
import { createDispatcher, type Dispatcher } from '../shared/platform/dispatch/dispatcher.ts';
import type { WriteMetrics } from '../shared/platform/dispatch/metrics.ts';
import { createFirstPasses, type FirstPasses } from '../shared/platform/dispatch/first-passes.ts';
import { createPressure } from '../shared/platform/dispatch/pressure.ts';
import { createSpareStarts } from '../shared/platform/dispatch/spare-starts.ts';
import { createStarts } from '../shared/platform/dispatch/start-once.ts';
import type { StartWatch } from '../shared/platform/dispatch/start-watch.ts';
import { createSweep, type Sweep } from '../shared/platform/dispatch/sweep.ts';
import { createAutocommit, createTransact } from '../shared/platform/dispatch/transact.ts';
import { createWrites } from '../shared/platform/dispatch/writes.ts';
import type { WorkItem } from '../shared/platform/dispatch/work.ts';
import { reactions } from '../shared/reactions.ts';
import { createAdvance } from '../shared/runs/engine/advance-in-transaction.ts';
import type { Urls } from '../shared/runs/engine/store.ts';
import { createVersions } from '../shared/runs/engine/versions.ts';
import { createRunMarks } from '../shared/runs/life/run-marks.ts';
import type { PlaceRequest } from '../shared/runs/requests/local-requests.ts';
import { runWork } from '../shared/runs/work.ts';
import type { RunMetrics } from '../shared/runs/metrics.ts';
import { works } from '../shared/works.ts';
import { tellPass } from '../activities/tell-run.ts';

export type DispatchingDeps = Pick<OutboxDeps, 'db' | 'forBatches' | 'egress' | 'secrets' | 'metrics' | 'log'> & {
  metrics: WriteMetrics & OutboundMetrics & RunMetrics;
  urls: Urls;
  /** Says where the request behind a pass is made. */
  placeRequest: PlaceRequest;
  channelKinds: ChannelKinds;
  /** Whether this process sends messages to contacts, as workers for `messages` do. */
  sendsMessages: boolean;
  /** Connections for the sweep's claims. */
  forClaims: Database;
  workflowPerDelivery: Config['workflowPerDelivery'];
  /** Temporal's client, while there is a connection, and whether Temporal answers now. */
  client: () => Client | undefined;
  temporalAnswers: () => Promise<boolean>;
  /** Whether workers of this process, for `deliveries` and `flows`, share the client's connection. */
  eager: boolean;
  /** Whether processes of the version before are gone for good. */
  settled: () => boolean;
  watch: StartWatch;
  /** Hears what each commit has changed of what pages show. */
  tellTopics: TellTopics;
};

/** What carries committed rows to their receivers and workflows. */
export type Dispatching = {
  transact: EventTransact;
  autocommit: EventAutocommit;
  /** How many transactions wait for a slot among those under way. */
  writesWaiting: () => number;
  dispatcher: Dispatcher;
  /** How many workflows of finished deliveries wait for their start. */
  spareStartsWaiting: () => number;
  outbox: Outbox;
  firstPasses: FirstPasses;
  sweep: Sweep;
  /** Finishes what is started or sent at the moment. What waits is the sweep's. */
  stop: () => Promise<void>;
};

/** Builds transactions, dispatcher, outbox and sweep, which share starts. */
export const createDispatching = (deps: DispatchingDeps): Dispatching => {
  const { db, client, temporalAnswers, eager, settled, watch, log } = deps;
  const firstPasses = createFirstPasses();
  const starts = createStarts();
  const pressure = createPressure();
  const dispatch = (items: readonly WorkItem[]): void => dispatcher.dispatch(items);
  const writes = createWrites(db, { onRefused: deps.metrics.writeRefused });
  const advance = createAdvance({
    ...deps.urls,
    readVersion: createVersions(),
    place: deps.placeRequest,
    ...tellPass(deps),
  });
  const transact = withReactions({ ...reactions, advance }, createTransact(db, dispatch, writes), deps.tellTopics);
  const shared = { client, starts, settled, metrics: watch, log };
  const spareStarts = createSpareStarts({
    ...shared,
    eager,
    pressure: { isHigh: () => outbox.behind() > 0 || pressure.isHigh() },
    onStarted: (item) => onStarted(item),
    onDropped: (item) => onDropped(item),
  });
  const ofFinished = deps.workflowPerDelivery === 'every' ? spareStarts : undefined;
  const outbox = createOutbox({
    db,
    forBatches: deps.forBatches,
    transact,
    tellTopics: deps.tellTopics,
    egress: deps.egress,
    secrets: deps.secrets,
    metrics: deps.metrics,
    startWorkflow: (item) => dispatcher.startWorkflow(item),
    spareStarts: ofFinished,
    pressure,
    log,
  });
  const lanes = createLaneOutbox({
    forBatches: deps.forBatches,
    transact,
    tellTopics: deps.tellTopics,
    channelKinds: deps.channelKinds,
    egress: deps.egress,
    secrets: deps.secrets,
    metrics: deps.metrics,
    startWorkflow: (item) => dispatcher.startWorkflow(item),
    settled,
    log,
  });
  const outboxes = deps.sendsMessages ? [outbox, lanes] : [outbox];
  const runs = createRunMarks(deps);
  const onStarted = ({ work, row }: WorkItem): void => {
    if (work.table === runWork.table) runs.start(row);
  };
  const onDropped = ({ work, row }: WorkItem): void => {
    if (work.table !== runWork.table) outbox.dropWorkflow(row);
  };
  const dispatcher = createDispatcher({
    ...shared,
    firstPasses,
    eager,
    outboxes,
    spareStarts: ofFinished,
    onStarted,
    onDropped,
  });
  const sweep = createSweep({ ...shared, db, forClaims: deps.forClaims, works, temporalAnswers, outboxes });
  return {
    transact,
    autocommit: withTopics(createAutocommit(db, dispatch, writes), deps.tellTopics),
    writesWaiting: writes.waiting,
    dispatcher,
    spareStartsWaiting: spareStarts.waiting,
    outbox,
    firstPasses,
    sweep,
    stop: async () => {
      outbox.close();
      lanes.close();
      spareStarts.stop();
      try {
        await Promise.all([dispatcher.stop(), spareStarts.drain()]);
      } finally {
        await Promise.all([outbox.drain(), lanes.drain(), runs.drain()]);
      }
    },
  };
};
