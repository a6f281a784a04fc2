import type { Fragment, Sql } from '../../platform/db/connect.ts';

/**
 * SQL: by what the latest of a contact's conversations on a channel is found: the open one, or that which was closed last. It is not the youngest
 * where an older one was opened again. `of` names the table.
 */
export const lateness = (sql: Sql, of: string): Fragment => {
  const column = (name: string): Fragment => sql`${sql(`${of}.${name}`)}`;
  return sql`(${column('status')} = 'open', coalesce(${column('closed_at')}, '-infinity'), ${column('id')})`;
};
