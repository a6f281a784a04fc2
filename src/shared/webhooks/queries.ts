import type { Fragment, Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import type { Variant } from '../facts/names.ts';
import { lockWebhook } from './locks.ts';
import type { EndpointCheck, WebhookRow } from './schema.ts';
import { previousUntil } from '../signing/secrets.ts';
import { sealedSecrets, type SealedSecrets } from './signing-secrets.ts';

/** Which webhooks a door reaches: those of its account, and of these variants. */
export type WebhookScope = { accountId: string; variants: readonly Variant[] };

const columns = (sql: Sql) => sql`
  id, account_id, variant, url, pending_url, events, status, disabled_reason, disabled_at, generation, verified_at, last_check, created_at`;

/** SQL: the condition on webhooks, or deliveries, for this scope. */
export const inScope = (sql: Sql, { accountId, variants }: WebhookScope) =>
  sql`account_id = ${accountId} and variant = any(${[...variants]})`;

const present = (sql: Sql, scope: WebhookScope) => sql`${inScope(sql, scope)} and deleted_at is null`;

/** The most deleted webhooks of an account that are looked at beside those that are there, unless told otherwise. */
const deletedAtMost = 100;

/**
 * SQL: the rows of an account's webhooks, those that are there and the ones deleted last, `most` of them. Each has an index of its own, so that none
 * that is there is left out, and none of another account is read.
 */
export const withDeleted = (sql: Sql, accountId: string, most = deletedAtMost): Fragment => sql`
  (select id, variant, deleted_at from webhooks where account_id = ${accountId} and deleted_at is null)
  union all
  (select id, variant, deleted_at from webhooks where account_id = any(${[accountId]}::uuid[]) and deleted_at is not null
    order by account_id desc, deleted_at desc limit ${most})`;

export const findWebhook = async (sql: Sql, scope: WebhookScope, id: string): Promise<WebhookRow | undefined> => {
  const [row] = await sql<
    WebhookRow[]
  >`select ${columns(sql)} from webhooks where ${present(sql, scope)} and id = ${id}`;
  return row;
};

/** Newest first. */
export const listWebhooks = (sql: Sql, scope: WebhookScope, page: Page): Promise<WebhookRow[]> => sql<WebhookRow[]>`
  select ${columns(sql)} from webhooks
  where ${present(sql, scope)} ${pageOf(sql, page)}`;

/** A webhook to be inserted. The secret of variant A is sealed. */
export type NewWebhookRow = {
  id: string;
  accountId: string;
  variant: Variant;
  url: string;
  events: readonly string[];
  secret: Buffer | null;
};

/**
 * Inserts a webhook; variant B as not yet verified. Undefined when the account has as many as it may. Those that are registered at the same time
 * may exceed that: it bounds the cost of events and lists, and need not be exact.
 */
export const insertWebhook = async (
  sql: Sql,
  webhook: NewWebhookRow,
  atMost: { present: number; withDeleted: number },
): Promise<WebhookRow | undefined> => {
  const { id, accountId, variant, url, events, secret } = webhook;
  const unverified = variant === 'dashboard';
  const [row] = await sql<WebhookRow[]>`
    insert into webhooks (id, account_id, variant, url, events, secret, status, disabled_reason, disabled_at)
    select ${id}, ${accountId}, ${variant}, ${url}, ${[...events]}, ${secret}, ${unverified ? 'disabled' : 'active'},
      ${unverified ? 'unverified' : null}, ${unverified ? sql`now()` : null}
    from (select count(*) as present from webhooks where account_id = ${accountId} and deleted_at is null) as there,
      (select count(*) as deleted from webhooks where account_id = ${accountId} and deleted_at is not null) as gone
    where present < ${atMost.present} and present + deleted < ${atMost.withDeleted}
    returning ${columns(sql)}`;
  return row;
};

/** A new secret, and the replaced one where it signs on for a while; both sealed. */
type NewSecret = { secret: Buffer; previous: Buffer | null };

type ApiChanges = { url?: string | undefined; events?: readonly string[] | undefined; secret?: NewSecret | undefined };

/** Locks and answers the sealed secret of a webhook of variant A. */
export const lockSecret = async (sql: Sql, id: string): Promise<Buffer | undefined> => {
  const [row] = await sql<{ secret: Buffer }[]>`
    select secret from webhooks where id = ${id} and variant = 'api' and deleted_at is null for update`;
  return row?.secret;
};

/** Changes a webhook of variant A, in force at once. A changed url or secret begins a new generation. */
export const updateApiWebhook = async (sql: Sql, id: string, changes: ApiChanges): Promise<WebhookRow | undefined> => {
  const { url = null, events, secret: changed } = changes;
  const changedSecret = changed
    ? sql`
      secret = ${changed.secret}, previous_secret = ${changed.previous},
      previous_secret_until = ${previousUntil(sql, changed.previous)},`
    : sql``;
  const [row] = await sql<WebhookRow[]>`
    update webhooks set
      url = coalesce(${url}, url), ${changedSecret} events = ${events ? [...events] : sql`events`},
      generation = generation + (coalesce(${url} <> url, false) or ${changed !== undefined})::int,
      updated_at = now()
    where id = ${id} and variant = 'api' and deleted_at is null
    returning ${columns(sql)}`;
  return row;
};

/**
 * Changes a webhook of variant B. The new url of an active webhook waits in `pending_url`, in place of one that waited before. A webhook that
 * is disabled has no url in force, so its url is replaced.
 */
export const updateDashboardWebhook = async (
  sql: Sql,
  id: string,
  { url, events }: Omit<ApiChanges, 'secret'>,
): Promise<WebhookRow | undefined> => {
  const changedUrl =
    url === undefined
      ? sql``
      : sql`
      url = case when status = 'disabled' then ${url} else url end,
      pending_url = case when status = 'active' then nullif(${url}, url) end,
      generation = generation + (status = 'disabled' and url <> ${url})::int,`;
  const [row] = await sql<WebhookRow[]>`
    update webhooks set ${changedUrl} events = ${events ? [...events] : sql`events`}, updated_at = now()
    where id = ${id} and variant = 'dashboard' and deleted_at is null
    returning ${columns(sql)}`;
  return row;
};

/**
 * Takes a webhook whose endpoint has passed into force: the url that was checked, and the status `active`, under a new generation unless both
 * were so before. It waits for those that are parking a delivery, so that it finds what they park. Undefined when url, secret or status changed since the webhook was read, because the check then says nothing about it.
 */
export const activateWebhook = async (
  sql: Sql,
  { id, generation }: WebhookRow,
  check: EndpointCheck,
): Promise<WebhookRow | undefined> => {
  await lockWebhook(sql, id);
  const [row] = await sql<WebhookRow[]>`
    update webhooks set
      url = ${check.url}, pending_url = null, status = 'active', disabled_reason = null, disabled_at = null,
      generation = generation + (status = 'disabled' or pending_url is not null)::int,
      verified_at = clock_timestamp(), last_check = ${sql.json(check)}, updated_at = now()
    where id = ${id} and generation = ${generation} and coalesce(pending_url, url) = ${check.url} and deleted_at is null
    returning ${columns(sql)}`;
  return row;
};

/** Records what the endpoint answered, and changes nothing else. Undefined when another url is to be checked by now. */
export const recordCheck = async (sql: Sql, id: string, check: EndpointCheck): Promise<WebhookRow | undefined> => {
  const [row] = await sql<WebhookRow[]>`
    update webhooks set last_check = ${sql.json(check)}
    where id = ${id} and coalesce(pending_url, url) = ${check.url} and deleted_at is null
    returning ${columns(sql)}`;
  return row;
};

/** Marks a webhook as deleted. False when the scope has none of this id. */
export const deleteWebhookRow = async (sql: Sql, scope: WebhookScope, id: string): Promise<boolean> => {
  const rows = await sql`
    update webhooks set deleted_at = now(), pending_url = null, updated_at = now()
    where ${present(sql, scope)} and id = ${id} returning id`;
  return rows.length > 0;
};

/** The sealed secrets that may sign for a webhook. */
export const findSealedSecrets = async (sql: Sql, id: string): Promise<SealedSecrets | undefined> => {
  const [row] = await sql<SealedSecrets[]>`
    select ${sealedSecrets(sql)} from webhooks w join accounts a on a.id = w.account_id where w.id = ${id}`;
  return row;
};
