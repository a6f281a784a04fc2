import { z } from 'zod';
import { asStored, codec, id, nullable, time, type RowOf } from '../codec.ts';
import { variants } from '../facts/names.ts';

/** Everything is counted up to this number. */
export const overviewCap = 1_000;

/** The most webhooks and flows that are named. */
export const namedAtMost = 20;

const counted = z
  .object({ count: z.int(), more: z.boolean().meta({ description: 'Whether there are more than are counted.' }) })
  .meta({ id: 'CountedUpTo', description: `Counted up to ${overviewCap}.` });

/** How many there are, or that there are `more`. */
export type Counted = z.infer<typeof counted>;

/** The most rows that are read to count something: one more than are told. */
export const readAtMost = overviewCap + 1;

/** A number of rows of which more than `cap` were read, `readAtMost` when not given. */
export const countedUpTo = (rows: number, cap = overviewCap): Counted => ({
  count: Math.min(rows, cap),
  more: rows > cap,
});

/** The navigation counts up to this number. */
export const waitingCap = 99;

export const waitingBody = z
  .object({
    unread_conversations: counted.meta({
      description: `Open conversations with an unread message, among the account's latest ${readAtMost} messages.`,
    }),
    waiting_handovers: counted.meta({ description: 'Open handovers that are not assigned, among the oldest.' }),
  })
  .meta({ id: 'Waiting', description: `Each is counted up to ${waitingCap}.` });

export type Waiting = z.infer<typeof waitingBody>;

const disabledWebhook = codec({
  id: id('webhook'),
  variant: asStored(z.enum(variants)),
  url: asStored(z.string().meta({ description: 'Agents get it with possible tokens masked.' })),
  disabled_reason: nullable(asStored(z.enum(['unverified', 'failures']))),
  disabled_at: nullable(time()),
  parked: asStored(counted),
});

const failingWebhook = codec({
  id: id('webhook'),
  url: asStored(z.string().meta({ description: 'Agents get it with possible tokens masked.' })),
  failing_since: time(),
});

const waitingHandover = codec({
  id: id('handover'),
  contact_id: id('contact'),
  contact_name: nullable(asStored(z.string())),
  conversation_id: nullable(id('conversation')),
  created_at: time(),
});

/** The most handovers that are named. */
export const waitingAtMost = 3;

const failingFlow = codec({
  id: id('flow'),
  name: asStored(z.string()),
  failed_runs: asStored(counted),
  last_failed_at: time(),
});

const refusedCredential = codec({
  id: id('credential'),
  name: asStored(z.string()),
  refused_at: time(),
});

const orNull = nullable(time());

/** The steps of a new account, in their order. */
const checklist = z
  .object({
    api_key: z.boolean().meta({ description: 'The account has an API key that is not revoked.' }),
    channel: z.boolean().meta({ description: 'The account has a channel.' }),
    webhook: z.boolean().meta({ description: 'The account has an active webhook.' }),
    message: z.boolean().meta({ description: 'A contact has written.' }),
    delivery: z.boolean().meta({ description: 'A signed event has been delivered, other than a test event.' }),
  })
  .meta({ description: 'First steps of a new account, in order, and whether each is done.' });

export const overviewBody = z
  .object({
    since: z.iso.datetime().meta({ description: 'A day ago: failures count from then on.' }),
    disabled_webhooks: z.object({
      data: z.array(disabledWebhook.body).meta({ description: `The latest ${namedAtMost}, newest first.` }),
      more: z.boolean(),
    }),
    failing_webhooks: z.array(failingWebhook.body).meta({
      description: 'Active webhooks that are failing, longest first.',
    }),
    backlog: z.object({
      pending: counted,
      retrying: counted,
      parked: counted,
      overdue: counted.meta({
        description: 'Among the oldest pending or retrying deliveries: those due for more than a minute.',
      }),
      oldest_overdue_at: orNull.schema.meta({ description: 'When the longest overdue one was due.' }),
    }),
    lost_deliveries: z
      .object({ failed: counted, dropped: counted })
      .meta({ description: 'Deliveries that ended so since then, without test events.' }),
    failing_flows: z
      .object({ data: z.array(failingFlow.body), more: z.boolean() })
      .meta({ description: `Flows of which runs have failed since then; the ${namedAtMost} with the most.` }),
    refused_credentials: z
      .object({ data: z.array(refusedCredential.body), more: z.boolean() })
      .meta({ description: `Credentials to reconnect: their token endpoint refused them. The latest ${namedAtMost}.` }),
    handovers: z.object({
      open: counted,
      unassigned: counted.meta({ description: 'Unassigned handovers among the oldest open ones.' }),
      oldest_unassigned_at: orNull.schema,
      waiting: z
        .array(waitingHandover.body)
        .meta({ description: `The ${waitingAtMost} that have waited longest for an agent.` }),
    }),
    files: z
      .object({ bytes: z.int(), files: z.int(), bytes_at_most: z.int(), files_at_most: z.int() })
      .meta({ description: 'The files of messages that the account keeps, and the most that it may keep.' }),
    checklist,
  })
  .meta({ id: 'Overview' });

export type DisabledWebhookRow = RowOf<typeof disabledWebhook>;
type FailingFlowRow = RowOf<typeof failingFlow>;
export type RefusedCredentialRow = RowOf<typeof refusedCredential>;
type FailingWebhookRow = RowOf<typeof failingWebhook>;
export type WaitingHandoverRow = RowOf<typeof waitingHandover>;

/** What an overview is made of; ids are UUIDs. */
export type Overview = {
  since: Date;
  disabledWebhooks: { rows: DisabledWebhookRow[]; more: boolean };
  failingWebhooks: FailingWebhookRow[];
  backlog: Record<'pending' | 'retrying' | 'parked' | 'overdue', Counted> & { oldestOverdueAt: Date | null };
  lostDeliveries: Record<'failed' | 'dropped', Counted>;
  failingFlows: { rows: FailingFlowRow[]; more: boolean };
  refusedCredentials: { rows: RefusedCredentialRow[]; more: boolean };
  handovers: Record<'open' | 'unassigned', Counted> & {
    oldestUnassignedAt: Date | null;
    waiting: WaitingHandoverRow[];
  };
  files: Record<'kept' | 'quota', { bytes: number; files: number }>;
  checklist: z.infer<typeof checklist>;
};

export const showOverview = (overview: Overview): z.infer<typeof overviewBody> => {
  const { since, disabledWebhooks, failingWebhooks, backlog, lostDeliveries, failingFlows } = overview;
  const { refusedCredentials, handovers, files } = overview;
  const { oldestOverdueAt, ...backlogs } = backlog;
  const { oldestUnassignedAt, waiting, ...counts } = handovers;
  return {
    since: since.toISOString(),
    disabled_webhooks: { data: disabledWebhooks.rows.map(disabledWebhook.show), more: disabledWebhooks.more },
    failing_webhooks: failingWebhooks.map(failingWebhook.show),
    backlog: { ...backlogs, oldest_overdue_at: orNull.show(oldestOverdueAt) },
    lost_deliveries: lostDeliveries,
    failing_flows: { data: failingFlows.rows.map(failingFlow.show), more: failingFlows.more },
    refused_credentials: { data: refusedCredentials.rows.map(refusedCredential.show), more: refusedCredentials.more },
    handovers: {
      ...counts,
      oldest_unassigned_at: orNull.show(oldestUnassignedAt),
      waiting: waiting.map(waitingHandover.show),
    },
    files: { ...files.kept, bytes_at_most: files.quota.bytes, files_at_most: files.quota.files },
    checklist: overview.checklist,
  };
};
