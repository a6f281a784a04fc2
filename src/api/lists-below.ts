import type { z } from 'zod';
import type { Role } from '../shared/accounts/schema.ts';
import { found } from '../shared/errors.ts';
import { nounName, type Noun } from '../shared/ids.ts';
import type { Sql } from '../shared/platform/db/connect.ts';
import { endpoint } from './endpoint.ts';
import type { Resource } from './resource.ts';
import type { ApiDeps } from './http.ts';
import { listOf, listQuery, showPage } from './lists.ts';

/** A list of what one thing has, newest first, as `/conversations/:id/notes`. */
type ListBelow<Row extends { id: string }, Schema extends z.ZodType> = {
  id: string;
  path: string;
  summary: string;
  description?: string;
  role: Role;
  /** The noun of `:id`. */
  noun: Noun;
  body: Schema;
  /** The thing that `:id` names; undefined for another account's. */
  findParent: (sql: Sql, accountId: string, id: string) => Promise<object | undefined>;
  list: (
    sql: Sql,
    parent: { accountId: string; id: string },
    page: { limit: number; before: string | undefined },
  ) => Promise<readonly Row[]>;
  show: (row: Row) => z.output<Schema>;
};

/** Adds such a list to a resource. It is answered 404 where `findParent` finds nothing. */
export const listBelow = <Row extends { id: string }, Schema extends z.ZodType>(
  resource: Resource,
  { reads }: Pick<ApiDeps, 'reads'>,
  { body, findParent, list, show, ...declared }: ListBelow<Row, Schema>,
): void =>
  endpoint(
    resource,
    { ...declared, method: 'get', query: listQuery, answers: { 200: listOf(body) } },
    ({ principal: { accountId }, id, query }) =>
      showPage(
        query,
        (page) =>
          reads(accountId, async (sql) => {
            found(nounName(declared.noun), await findParent(sql, accountId, id));
            return list(sql, { accountId, id }, page);
          }),
        show,
      ),
  );
