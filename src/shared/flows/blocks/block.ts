import type { z } from 'zod';
import type { CredentialType } from '../../credentials/schema.ts';
import type { FieldDefinition, FieldValue, Json } from '../../custom-fields/values.ts';
import type { EventName } from '../../facts/names.ts';
import type { MediaFile } from '../../media/schema.ts';
import type { BlockContext, Input, Reply } from './context.ts';
import type { ChannelLimits } from './message-limits.ts';

export type { BlockContext, ContactView, Input } from './context.ts';

/** What a block has done, as data: whoever runs it carries it out, in this order. */
export type Effect =
  | { type: 'send'; messages: readonly OutboundMessage[] }
  /** A custom or a profile field, coerced already; null clears it. */
  | { type: 'set_field'; key: string; value: FieldValue | null }
  | { type: 'add_tag'; name: string }
  | { type: 'remove_tag'; name: string }
  /** The contact's open one on the channel of the run, if there is one. */
  | { type: 'close_conversation' }
  /** Unless the contact has an open one. */
  | { type: 'request_handover'; reason: string }
  /** The open one, if this run has requested it. */
  | { type: 'expire_handover' }
  /** What `reply.…` means from now on. */
  | ({ type: 'set_reply' } & Reply)
  /** `flowId` is a TypeID. */
  | { type: 'start_flow'; flowId: string; mode: 'child' | 'switch'; params: Json };

export type OutboundMessage = {
  text: string;
  imageUrl?: string;
  /** Files of the account. */
  attachments?: readonly MediaFile[];
  quickReplies?: readonly string[];
};

type Effects = { effects?: readonly Effect[] };

/** Where the run goes on. A reason is a word for operators, never a text of a contact. */
export type Move =
  | ({ type: 'go'; port: string; reason?: string } & Effects)
  | (Wait & Effects)
  /** The block's request is to be made; what comes of it is an input. */
  | { type: 'request' }
  /** `switched`: the run is over, but not by the end of its flow. */
  | ({ type: 'end'; reason?: 'switched' } & Effects)
  | { type: 'fail'; reason: string };

/**
 * `until` left out: no deadline when the block is entered, and the deadline that the step has when it is resumed. `tried` counts one more
 * answer that was not valid. `early` takes replies since the run's message before this block's.
 */
export type Wait = {
  type: 'wait';
  for: 'reply' | 'delay' | 'event' | 'child' | 'handover';
  until?: Date;
  tried?: true;
  early?: true;
};

/** A way out of a block: what is meant where the definition does not say it. `error` refuses such a definition. */
type Port = { name: string; omitted: 'following' | 'fails' | 'error' };

/** Something outside of the flow that it needs, and where in the block it is named. `id` of a flow is a TypeID. */
export type Reference = (
  | { type: 'field'; key: string }
  /** A name of a template or rule: a custom field, or a value of the system. */
  | { type: 'name'; name: string }
  /** `isMade`: one that is not there yet is made by the block. */
  | { type: 'tag'; name: string; isMade?: true }
  | { type: 'credential'; name: string }
  | { type: 'flow'; id: string }
) & { path: string };

/** A text with placeholders, and where it will stand. `value` keeps the type of a placeholder that stands alone. */
export type TemplateUse = {
  path: string;
  template: string;
  place: 'text' | 'value' | 'json' | 'url' | 'header' | 'form';
  /** A placeholder that stands alone may be empty: that is documented, and has a use. */
  takesNothing?: true;
  /** `{{credential.name}}` may stand in it. */
  takesCredentials?: true;
  /** `{{item}}` and `{{index}}` may stand in it. */
  takesItem?: boolean;
};

/**
 * What a block does to a name of templates when it is left by a port, as far as that is known before any run: it has a value then, it may
 * have none any more, or it has one if this template shows something. Later ones follow earlier ones.
 */
export type Write = { port: string; name: string; leaves: 'a_value' | 'maybe_nothing' | { like: string } };

/** Something wrong in one block that its schema does not see; an error unless it says otherwise. */
export type BlockProblem = { code: string; severity?: 'warning'; path: string; message: string; hint?: string };

/** What a definition is checked against: what the account has. Names of tags are in lower case, ids TypeIDs. */
export type Known = {
  /** Of the flow that is checked; null while it has none. */
  flowId: string | null;
  fields: ReadonlyMap<string, FieldDefinition>;
  /** The account's default country for phone numbers. */
  country: string | null;
  tags: ReadonlySet<string>;
  /** `starts`: the flows that its live version starts. */
  flows: ReadonlyMap<string, { name: string; isLive: boolean; starts: readonly string[] }>;
  /** Live flows that need a tag that starts the flow that is checked: the tags that their blocks apply, and that start them, folded. */
  tagging: ReadonlyMap<string, { applies: ReadonlySet<string>; startedBy: ReadonlySet<string> }>;
  credentials: ReadonlyMap<string, { type: CredentialType }>;
  /** What channels of the types that the account has take of a message. */
  channels: readonly (ChannelLimits & { type: string })[];
  /** Why a url may not be called, or undefined. */
  refuseUrl: (url: string) => string | undefined;
};

/**
 * What all blocks have. `name` is the title that people see; operators and Temporal see the id. `next` says where its ports lead: to a block,
 * or by null to the end of the flow.
 */
export type BlockConfig = {
  id: string;
  type: string;
  name?: string | undefined;
  next?: Readonly<Record<string, string | null | undefined>> | undefined;
};

/**
 * A kind of block: its schema, what a definition has to know of it, and its decisions. They read the context and answer a move; they
 * change nothing. Texts of `summary` and of the schema's descriptions are the block reference.
 */
export type Block<Config extends BlockConfig = BlockConfig> = {
  readonly type: Config['type'];
  /**
   * Which meaning it has, 1 when left out. A change that could send a waiting contact another way (a comparison, a date) counts it up, and
   * its functions decide by `context.v`. A version of a flow keeps the meaning that it was published with; the next publish brings the new one.
   */
  readonly v?: number;
  readonly summary: string;
  readonly schema: z.ZodType<Config>;
  /** It writes to the contact: silence, blocking and a missing channel are the engine's, by the port `failed`. */
  readonly speaks?: true;
  /** It needs the foreground, which the engine gets before `enter`. */
  readonly listens?: true;
  /** It gives the foreground back when it is entered. */
  readonly yields?: true;
  /** It waits: it may stand in a circle. */
  readonly waits?: true;
  ports(config: Config): readonly Port[];
  /** The block that its port `default` leads to where a definition names it otherwise than in `next`. */
  jumpsTo?(config: Config): { path: string; block: string };
  /** The event that it waits for. */
  listensFor?(config: Config): EventName;
  uses?(config: Config): readonly Reference[];
  templates?(config: Config): readonly TemplateUse[];
  writes?(config: Config): readonly Write[];
  check?(config: Config, known: Known): readonly BlockProblem[];
  /** How many of its characters are slow to check: a definition has a bounded number of them. */
  slowCharacters?(config: Config): number;
  enter(config: Config, context: BlockContext): Move;
  /** The deadline of a wait that depends on more than when it began, such as the contact's time zone: asked in every pass. */
  until?(config: Config, context: BlockContext): Date | undefined;
  /** Undefined: the input is not for this block, and stays for another; the step goes on waiting. */
  resume?(config: Config, context: BlockContext, input: Input): Move | undefined;
};
