import type { IncomingHttpHeaders } from 'node:http';
import type { Problem } from '../../errors.ts';
import type { Egress } from '../../platform/egress/client.ts';
import type { ExchangeFailure } from '../../platform/egress/exchange-failures.ts';
import type { FailureDetail } from '../../platform/egress/failure-details.ts';
import type { Json } from '../../platform/json/json.ts';
import type { Secrets } from '../../platform/secrets/seal.ts';
import type { StoredAttachment } from '../../media/attachments.ts';
import type { ChannelDeclaration } from './declaration.ts';

/** A config as a caller gives it: some or all of the fields that the kind declares. */
export type ChannelConfig = Readonly<Record<string, unknown>>;

/** What is stored of a config; the secrets are sealed. */
export type StoredConfig = {
  /** Kind `api` alone has it in a column of its own. */
  callbackUrl: string | null;
  /** The open fields of every other kind. */
  config: { [name: string]: Json } | null;
  secret: Uint8Array | null;
};

/** What changes of it. `secret.previous` signs on for a while. */
export type ConfigChange = Partial<Pick<StoredConfig, 'callbackUrl' | 'config'>> & {
  secret?: { secret: Buffer; previous: Buffer | null };
};

/** A channel as its kind sends by it; the id is a UUID, the secrets are sealed. */
export type SendingChannel = StoredConfig & {
  id: string;
  accountId: string;
  type: string;
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
  attachments: readonly StoredAttachment[];
  clientRef: string | null;
  createdAt: Date;
};

/**
 * Why a message was not taken: `status` for an answer that refuses it, `never_wrote` where a contact has to write first and has not, `file_missing` for a
 * file of it that is not there, else what kept the answer away.
 */
export type SendFailure = 'status' | 'never_wrote' | 'file_missing' | ExchangeFailure;

/** What one attempt met, as logs, traces and the message itself tell it. */
type Met = { reason: SendFailure; detail?: FailureDetail; statusCode?: number; durationMs: number };

/** What one attempt came to. */
export type SendOutcome =
  /** `ref` is the id that the other side has given the message: receipts name it. */
  | { type: 'sent'; ref?: string; statusCode?: number; durationMs: number }
  /**
   * The message did not arrive. `permanent`: no later attempt at the same bytes would fare better. `blocksContact`: the contact wants nothing over
   * the channel until it writes again.
   */
  | ({ type: 'refused'; permanent: boolean; blocksContact?: boolean } & Met)
  /** It was sent, and nobody knows whether it arrived. */
  | ({ type: 'unanswered' } & Met)
  /** The message did not arrive, and nothing is held against the channel. `pausesChannel`: the service wants no other message over it until then. */
  | { type: 'later'; retryAfterMs: number; pausesChannel?: true };

/** A channel with its whole config, opened; the id is a UUID. */
export type OpenChannel = { id: string; accountId: string; config: ChannelConfig };

/** What a service says when it is asked to connect a channel. */
export type Refusal = { type: 'refused'; problems: readonly Problem[] } | { type: 'unreachable' };

/** The account at a service. */
export type Identified = { type: 'known'; ref: string; told?: { [name: string]: Json } };

/** How channels of a kind are connected with a service. No transaction is open while it is asked. */
export type Connection = {
  /** Whether the service sends to the channel's public address. Parley gives it the new one when BASE_URL changes. */
  isSentTo: boolean;
  /**
   * Asks whose config this is. `ref` names the account at the service: one channel of the installation has it at a time. `connectedTo` is the one that
   * the channel has already. `told` are the fields that the kind declares as such.
   */
  identify: (
    deps: { egress: Egress },
    asked: { accountId: string; config: ChannelConfig; connectedTo?: string | null },
  ) => Promise<Identified | Refusal>;
  /** Has messages sent to `url`. It is called again when the config has changed. */
  connect: (
    deps: { egress: Egress },
    asked: { channel: OpenChannel; url: string },
  ) => Promise<{ type: 'connected' } | Refusal>;
  /** Ends that. The service may have forgotten the config already. */
  disconnect: (deps: { egress: Egress }, channel: OpenChannel) => Promise<void>;
};

/** A request to a channel's public address. */
type PublicRequest = {
  headers: IncomingHttpHeaders;
  query: URLSearchParams;
  body: Buffer;
};

/** A message as a service tells it: it is checked as one of `POST /channels/{id}/inbound`. */
export type GivenMessage = {
  message_id: string;
  sender: { external_id: string } & ChannelConfig;
  text: unknown;
  attachments?: readonly object[];
};

/** A file that a service still has. `instead` stands in the text for one that cannot be had; `bytes` is what the service says of its size. */
export type RemoteFile = { ref: string; name: string; bytes: number | undefined; instead: string };

/** Something that came in over a channel. */
export type Told =
  /** `files` become attachments. They may be waited for. A part of an album comes alone, with its place in the album. */
  | { type: 'message'; message: GivenMessage; files?: readonly RemoteFile[]; album?: { ref: string; place: number } }
  /** The contact has changed a message in its chat, which is the contact's own id on the channel. It is checked as `editedMessage`. */
  | { type: 'edit'; chat: string; message: { message_id: string; text: unknown; edited_at: unknown } }
  /** The contact has read the message with this `ref`. */
  | { type: 'read'; ref: string }
  /** The contact has chosen a quick reply of a message of ours, a UUID; `index` is its place. `ref` names the choice at the service. */
  | { type: 'choice'; ref: string; messageId: string; index: number; sender: { external_id: string } & ChannelConfig };

/** How messages of a kind come in: by POST to `{base_url}/<type>/<channel id>`. */
export type PublicInbound = {
  /** The largest body, in bytes. */
  bodyBytes: number;
  /** The header by which a request proves that it comes from the service, in lower case. */
  proof: string;
  /** Whether the request comes from the service. Secrets are compared in constant time. */
  proves: (channel: OpenChannel, request: PublicRequest) => boolean;
  /** What the request tells, in its order; nothing of what is of no interest. Undefined for what makes no sense. */
  read: (channel: OpenChannel, request: PublicRequest) => readonly Told[] | undefined;
};

/**
 * An update of a service; those of one chat are taken in their order. The next poll, given its `ref`, confirms those before it. `told` is undefined
 * for what makes no sense.
 */
export type PolledUpdate = { ref: string; chat: string; told: readonly Told[] | undefined };

/** What one poll came to. */
export type Polled =
  /** In the order of the service. `next` is to be given to the next poll, which confirms these; undefined when there is nothing to confirm. */
  | { type: 'polled'; updates: readonly PolledUpdate[]; next: string | undefined }
  | { type: 'later'; retryAfterMs: number }
  /** The service refuses the config. */
  | { type: 'refused' };

/** What a kind of channel does. Its folder also has what it declares (`declaration.ts`). */
export type ChannelKind = {
  declaration: ChannelDeclaration;
  /** Checks of a config that its schema cannot make. They may ask others. */
  checks?: {
    findProblems: (deps: { egress: Egress }, accountId: string, config: ChannelConfig) => Promise<Problem[]>;
    /** The same of a body that may be refused already, so that its sender learns all that is wrong at once. */
    findProblemsOfBody: (
      deps: { egress: Egress },
      accountId: string,
      given: { body: unknown; isRefused: boolean },
    ) => Promise<Problem[]>;
  };
  /**
   * Stores a config otherwise than `storeConfig`; fields that are not given stay. `made` is a secret that was made, which one answer shows, and
   * which can be rotated.
   */
  store?: (
    secrets: Secrets,
    place: { accountId: string; rowId: string },
    given: { config: ChannelConfig; present: StoredConfig | undefined },
  ) => { change: ConfigChange; made: string | undefined };
  connection?: Connection;
  inbound?: PublicInbound;
  /** Gets a file of a message. `gone`: it never can be had; `later`: not now. */
  fetchFile?: (
    deps: { egress: Egress },
    channel: OpenChannel,
    file: { ref: string; bytesAtMost: number },
  ) => Promise<{ type: 'fetched'; bytes: Uint8Array } | { type: 'gone' | 'later' }>;
  /** Tells the service that a choice has been taken, whatever came of it. */
  acknowledge?: (deps: { egress: Egress }, channel: OpenChannel, ref: string) => Promise<void>;
  /** Shows in a chat that somebody is about to write there. `later`: the service wants no more of that until then. */
  showTyping?: (
    deps: { egress: Egress },
    channel: OpenChannel,
    chat: string,
  ) => Promise<{ type: 'done' } | { type: 'later'; retryAfterMs: number }>;
  /** Asks the service for what contacts write, and waits for it `waitMs` at most, where the service does not hand it in. */
  poll?: (
    deps: { egress: Egress },
    channel: OpenChannel,
    asked: { after: string | undefined; waitMs: number; signal: AbortSignal },
  ) => Promise<Polled>;
  /**
   * Whether a message that may have arrived can be sent again, because the other side knows it by its id. If not, one whose attempt was cut off or got
   * no answer ends as `unknown`.
   */
  repeatable: boolean;
  /** In how many parts a message is sent, each by a call of `send`; in one when not given. It is the same at each call. */
  countParts?: (message: Outgoing) => number;
  /** Makes one attempt at a message, or at a part of it, from 0 on. `at` is by the database's clock. */
  send: (
    deps: { egress: Egress; secrets: Secrets },
    sending: { channel: SendingChannel; message: Outgoing; part: number; at: Date },
  ) => Promise<SendOutcome>;
};
