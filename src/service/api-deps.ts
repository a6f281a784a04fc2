import type { ApiDeps } from '../api/http.ts';
import { describeInstallation } from '../api/installation.ts';
import { createReads } from '../api/reads.ts';
import { createStreams } from '../api/stream/streams.ts';
import { createVisitorStreams } from '../api/webchat/visitor-streams.ts';
import { createArrivals } from '../shared/messages/channels/arrivals/arrivals.ts';
import { createLiveHub } from '../shared/messages/live/hub.ts';
import { createInboundStatements } from '../shared/messages/inbound/share-statements.ts';
import { createCheckOnThread } from '../shared/flows/check-on-thread.ts';
import { createSimulateOnThread } from '../shared/runs/simulator/simulate-on-thread.ts';
import { createOthersHearing } from '../shared/hints/hear-others.ts';
import type { TopicTeller } from '../shared/hints/tell-topics.ts';
import type { PresenceTeller } from '../shared/presence/tell-presence.ts';
import type { TypingTeller } from '../shared/typing/tell-typing.ts';
import type { Config } from '../shared/platform/config.ts';
import type { FindOwnEndpoint } from '../shared/platform/egress/own-endpoint.ts';
import type { Threads } from '../shared/platform/threads/threads.ts';
import { createWorkflowUrl, workflowsUrlOf } from '../shared/platform/temporal/workflow-url.ts';
import type { ApiPools } from './pools.ts';

type Made =
  | 'tellTopics'
  | 'installation'
  | 'inbound'
  | 'reads'
  | 'checkDraft'
  | 'simulate'
  | 'workflowUrl'
  | 'streams'
  | 'live'
  | 'visitorStreams'
  | 'arrivals';

/** What the API shares with the rest of its process, and what its own parts are made of. */
type Given = Omit<ApiDeps, Made | 'config' | 'presenceTeller' | 'typingTeller'> & {
  config: Config;
  pools: ApiPools;
  threads: Threads;
  embeddedTemporal: { uiUrl?: string } | undefined;
  findOwn: FindOwnEndpoint;
  teller: TopicTeller;
  presenceTeller: PresenceTeller;
  typingTeller: TypingTeller;
};

/** Adds to what the process has what only the API needs. Streams, hub and arrivals are the caller's to stop. */
export const createApiDeps = ({ pools, threads, embeddedTemporal, findOwn, teller, ...shared }: Given) => {
  const { config, db, log, processId, presenceTeller, typingTeller } = shared;
  const temporalUiUrl = embeddedTemporal?.uiUrl ?? config.temporalUiUrl;
  const others = createOthersHearing({ forStreams: pools.forStreams, processId, log });
  const live = createLiveHub({ db: pools.forStreams.db, teller, others, log });
  const reads = createReads(pools.forReads);
  const ui = { uiUrl: temporalUiUrl, embedded: embeddedTemporal !== undefined };
  return {
    ...shared,
    tellTopics: teller.tell,
    installation: describeInstallation(config, {
      temporalUiUrl,
      workflowsUrl: workflowsUrlOf(ui),
      hasTestEndpoint: shared.testEndpoint !== undefined,
    }),
    inbound: createInboundStatements({ db, forMessages: pools.forMessages }),
    reads,
    arrivals: createArrivals(shared),
    checkDraft: createCheckOnThread(threads, config.egressAllow, findOwn),
    simulate: createSimulateOnThread(threads),
    workflowUrl: createWorkflowUrl(ui),
    live,
    visitorStreams: createVisitorStreams({
      db,
      reads,
      live,
      presenceTeller,
      others,
      baseUrl: config.baseUrl,
      linkTo: shared.media.linkTo,
      log,
    }),
    streams: createStreams({
      forStreams: pools.forStreams,
      teller,
      presenceTeller,
      typingTeller,
      others,
      log,
    }),
  };
};
