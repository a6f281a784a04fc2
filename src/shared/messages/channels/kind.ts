import type { Egress } from '../../platform/egress/client.ts';
import type { ExchangeFailure } from '../../platform/egress/exchange-failures.ts';
import type { FailureDetail } from '../../platform/egress/failure-details.ts';
import type { Secrets } from '../../platform/secrets/seal.ts';
import type { Problem } from '../../errors.ts';
import type { ChannelType } from './declarations.ts';
import type { PresentConfig, StoredConfig } from './queries.ts';
import type { ChannelConfig } from './schema.ts';

/** A channel as its kind sends by it; the id is a UUID, the secrets are sealed. */
export type SendingChannel = {
  id: string;
  accountId: string;
  type: ChannelType;
  callbackUrl: string | null;
  secret: Uint8Array | null;
  previousSecret: Uint8Array | null;
};

/** A message to a contact. Nothing of it changes between two attempts; ids are UUIDs. */
export type Outgoing = {
  id: string;
  contactId: string;
  /** The contact's own id on the channel; null when it has never written there. */
  senderExternalId: string | null;
  conversationId: string;
  text: string;
  imageUrl: string | null;
  quickReplies: readonly string[];
  clientRef: string | null;
  createdAt: Date;
};

/** Why a message was not taken: `status` for an answer that refuses it, else what kept the answer away. */
export type SendFailure = 'status' | ExchangeFailure;

/** What one attempt met, as logs, traces and the message itself tell it. */
type Met = { reason: SendFailure; detail?: FailureDetail; statusCode?: number; durationMs: number };

/** What one attempt came to. */
export type SendOutcome =
  | { type: 'sent'; statusCode?: number; durationMs: number }
  /** The message did not arrive. `permanent`: no later attempt at the same bytes would fare better. */
  | ({ type: 'refused'; permanent: boolean } & Met)
  /** It was sent, and nobody knows whether it arrived. */
  | ({ type: 'unanswered' } & Met)
  /** Nothing was tried, and nothing is held against the channel. */
  | { type: 'later'; retryAfterMs: number };

/** What a kind of channel does. Its folder also has what it declares (`declaration.ts`). */
export type ChannelKind = {
  config: {
    /** What is wrong with a config that its schema takes. It may ask others, for which no transaction may wait. */
    findProblems: (deps: { egress: Egress }, accountId: string, config: ChannelConfig) => Promise<Problem[]>;
    /** The same of a body that may be refused already, so that its sender learns all that is wrong at once. */
    findProblemsOfBody: (
      deps: { egress: Egress },
      accountId: string,
      given: { body: unknown; isRefused: boolean },
    ) => Promise<Problem[]>;
    /** What is stored of a config, sealed; fields that are not given stay. `made` is a secret that was made, which one answer shows. */
    store: (
      secrets: Secrets,
      place: { accountId: string; rowId: string },
      given: { config: ChannelConfig; present?: PresentConfig },
    ) => { stored: StoredConfig; made: string | undefined };
  };
  /** Whether messages have somewhere to go. Where they have not, they count as sent at once. */
  hasTarget: (channel: Pick<SendingChannel, 'callbackUrl'>) => boolean;
  /** Makes one attempt at a message. `at` is by the database's clock. */
  send: (
    deps: { egress: Egress; secrets: Secrets },
    sending: { channel: SendingChannel; message: Outgoing; at: Date },
  ) => Promise<SendOutcome>;
};
