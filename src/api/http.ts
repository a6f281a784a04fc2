import { Router, type RouterContext } from '@koa/router';
import type { Client } from '@temporalio/client';
import type { InstallationFacts, SignedInUser } from '../shared/accounts/schema.ts';
import type { InboundStatements } from '../shared/messages/inbound/share-statements.ts';
import type { ChannelKinds } from '../shared/messages/channels/kinds.ts';
import type { DeliveryMetrics } from '../shared/deliveries/metrics.ts';
import type { Variant } from '../shared/facts/names.ts';
import type { JudgeResponse } from '../shared/external-requests/judge-on-thread.ts';
import type { RedactBody } from '../shared/external-requests/redact-on-thread.ts';
import type { CheckDraft } from '../shared/flows/check.ts';
import type { SimulateFor } from '../shared/runs/simulator/simulate-on-thread.ts';
import type { Config } from '../shared/platform/config.ts';
import type { Database } from '../shared/platform/db/connect.ts';
import type { EventAutocommit, EventTransact } from '../shared/facts/tell.ts';
import type { Tokens } from '../shared/credentials/oauth2/tokens.ts';
import type { Egress } from '../shared/platform/egress/client.ts';
import type { Logger } from '../shared/platform/log.ts';
import type { Secrets } from '../shared/platform/secrets/seal.ts';
import type { TestEndpoint } from '../shared/test-endpoint/test-endpoint.ts';
import type { WorkflowUrl } from '../shared/platform/temporal/workflow-url.ts';
import type { RequestMetrics } from './middleware/request-metrics.ts';
import type { Media } from '../shared/media/media.ts';
import type { Arrivals } from '../shared/messages/channels/arrivals/arrivals.ts';
import type { Principal } from './principal.ts';
import type { Reads } from './reads.ts';
import type { PresenceTeller } from '../shared/presence/tell-presence.ts';
import type { TypingTeller } from '../shared/typing/tell-typing.ts';
import type { VisitorStreams } from './webchat/visitor-streams.ts';
import type { LiveHub } from '../shared/messages/live/hub.ts';
import type { Streams } from './stream/streams.ts';
import type { TellTopics } from '../shared/facts/topics.ts';

/** Whether the parts on which the service depends answer now. */
export type HealthReport = Record<'postgres' | 'temporal' | 'worker' | 'starts', 'up' | 'down'>;

export type ApiDeps = {
  config: Pick<Config, 'baseUrl' | 'apiUrl' | 'trustProxy' | 'rateLimitPerMinute'>;
  /** What the dashboard tells every user of the installation. */
  installation: InstallationFacts;
  db: Database;
  transact: EventTransact;
  autocommit: EventAutocommit;
  /** Tells pages of what was changed in neither of them. */
  tellTopics: TellTopics;
  /** Statements that messages share; each has its own when not given. */
  inbound: InboundStatements;
  /** Runs lists and counts, which must not take the connections of `db`. */
  reads: Reads;
  egress: Egress;
  /** Checks definitions of flows, which nobody else waits for. */
  checkDraft: CheckDraft;
  /** Takes a contact through a flow in memory, for which nobody else waits. */
  simulate: SimulateFor;
  /** Maps what other services answer in the test of a block. */
  judgeResponse: JudgeResponse;
  /** Hides secrets in the whole response of a request that is tested. */
  redactBody: RedactBody;
  /** For what flows ask of other services. */
  callEgress: Egress;
  /** Access tokens of credentials. */
  tokens: Tokens;
  secrets: Secrets;
  channelKinds: ChannelKinds;
  /** Files of messages. */
  media: Media;
  log: Logger;
  health: () => Promise<HealthReport>;
  /** A UUID that no other process has, in any installation. */
  processId: string;
  /** Temporal's client, while there is a connection. */
  temporal: () => Client | undefined;
  workflowUrl: WorkflowUrl;
  /** Undefined where the installation has none. */
  testEndpoint?: TestEndpoint | undefined;
  metrics: RequestMetrics & Pick<DeliveryMetrics, 'ended'>;
  /** Sends hints to pages that are open. */
  streams: Pick<Streams, 'open'>;
  /** What has changed in conversations, for streams of visitors. */
  live: Pick<LiveHub, 'watchConversation'>;
  /** What comes in over channels that services hand in. */
  arrivals: Pick<Arrivals, 'bring'>;
  /** The streams of visitors of webchats. */
  visitorStreams: Pick<VisitorStreams, 'open' | 'noteConversation' | 'isAgentTyping'>;
  /** Tells pages who is where. */
  presenceTeller: Pick<PresenceTeller, 'tell'>;
  /** Tells agents' pages which contacts type. */
  typingTeller: Pick<TypingTeller, 'tell'>;
};

/** What the middleware knows of a request before its credential is checked. */
export type RequestState = {
  requestId: string;
  traceId?: string | undefined;
  /** The client's address in canonical form; undefined when it has hung up already. */
  clientAddress?: string | undefined;
  bodyBytes?: Buffer;
  /** Parses a large body in the account's slot; see `largeBodies`. */
  parseInSlot?: <Result>(bytes: Buffer, parse: () => Result) => Result | Promise<Result>;
};

/** The same behind a door, where the credential was good. `variants` are those that the door reaches. */
export type ApiState = RequestState & {
  principal: Principal;
  variants: readonly Variant[];
  /** Who is signed in, behind the door of the dashboard. */
  signedIn?: SignedInUser;
  /** Takes more requests from the account's budget, and of the share that its user has. Throws `rate_limited`, with none taken, when fewer are left. */
  spend?: (requests: number) => void;
  /** Frees the slot among the account's requests under way, for an answer that has bounds of its own. */
  leaveShare?: () => void;
  /** The UUID of the contact that the path names, however it does so. */
  contactId?: string;
};

export type ApiContext = RouterContext<ApiState>;
export type ApiRouter = Router<ApiState>;

/** A router for what stands in no document: pages and health checks. */
export const createRouter = (): ApiRouter => new Router<ApiState>();
