import type { Sql } from '../platform/db/connect.ts';
import { createToken } from '../platform/secrets/tokens.ts';
import { sealedSecrets, type SealedSecrets } from '../webhooks/signing-secrets.ts';
import { webhooksPerAccount } from '../webhooks/schema.ts';

/** What the endpoint answers an account; `body` is JSON as text, null for none. */
export type TestEndpointRow = {
  accountId: string;
  token: string;
  status: number;
  body: string | null;
  delayMs: number;
};

const columns = (sql: Sql) => sql`account_id, token, status, body, delay_ms`;

/** What a new account's endpoint answers: something that a first flow can use. */
const firstBody = {
  ok: true,
  order: { number: '1042', status: 'shipped', arrives_in_days: 2 },
  items: [{ size: 'M', left: 3 }],
};

/** The account's row, made where there is none. */
export const ensureTestEndpoint = async (sql: Sql, accountId: string): Promise<TestEndpointRow> => {
  const find = async () => {
    const [row] = await sql<TestEndpointRow[]>`
      select ${columns(sql)} from test_endpoints where account_id = ${accountId}`;
    return row;
  };
  const found = await find();
  if (found) return found;
  await sql`
    insert into test_endpoints (account_id, token, status, body, delay_ms)
    values (${accountId}, ${createToken('')}, 200, ${JSON.stringify(firstBody)}, 0)
    on conflict (account_id) do nothing`;
  const made = await find();
  if (!made) throw new TypeError('the test endpoint that was just made is not there');
  return made;
};

export const findTestEndpoint = async (sql: Sql, token: string): Promise<TestEndpointRow | undefined> => {
  const [row] = await sql<TestEndpointRow[]>`select ${columns(sql)} from test_endpoints where token = ${token}`;
  return row;
};

/** Changes what is given. */
export const updateTestEndpoint = async (
  sql: Sql,
  accountId: string,
  {
    status,
    body,
    delayMs,
  }: { status: number | undefined; body: string | null | undefined; delayMs: number | undefined },
): Promise<TestEndpointRow | undefined> => {
  const [row] = await sql<TestEndpointRow[]>`
    update test_endpoints set status = coalesce(${status ?? null}::int, status),
      delay_ms = coalesce(${delayMs ?? null}::int, delay_ms),
      body = case when ${body !== undefined} then ${body ?? null}::text else body end
    where account_id = ${accountId}
    returning ${columns(sql)}`;
  return row;
};

/** The webhooks of an account with an address below this one, or one that waits to be it, with what signs for them. */
export const listSigners = (
  sql: Sql,
  accountId: string,
  url: string,
): Promise<(SealedSecrets & { webhookId: string })[]> => sql<(SealedSecrets & { webhookId: string })[]>`
  select w.id as webhook_id, ${sealedSecrets(sql)} from webhooks w join accounts a on a.id = w.account_id
  where w.account_id = ${accountId} and w.deleted_at is null
    and (starts_with(w.url, ${url}) or starts_with(w.pending_url, ${url}))
  order by w.id limit ${webhooksPerAccount.present}`;
