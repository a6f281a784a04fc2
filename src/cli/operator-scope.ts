import type { Sql } from '../shared/platform/db/connect.ts';
import { notFound } from '../shared/errors.ts';
import { variants } from '../shared/events/names.ts';
import type { WebhookScope } from '../shared/webhooks/queries.ts';

/** The scope of an operator in an account: webhooks of both variants. */
export const operatorScope = (accountId: string): WebhookScope => ({ accountId, variants });

const tables = { delivery: 'deliveries', replay: 'replays', webhook: 'webhooks' } as const;

/** The scope of whichever account has this row, for commands that ask for no account; `id` is the UUID. Throws `not_found`. */
export const getOperatorScope = async (sql: Sql, noun: keyof typeof tables, id: string): Promise<WebhookScope> => {
  const [row] = await sql<{ accountId: string }[]>`select account_id from ${sql(tables[noun])} where id = ${id}`;
  if (row === undefined) throw notFound(noun);
  return operatorScope(row.accountId);
};
