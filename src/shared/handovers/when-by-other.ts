import type { Sql } from '../platform/db/connect.ts';

/** Who gets a conversation or handover, and who gives it: UUIDs. `userId` null: nobody gets it. `byUserId` undefined: an API key gives it. */
type Given = { userId: string | null; byUserId?: string | undefined };

/** SQL: the `assigned_by_other_at` of a conversation that is assigned now. */
export const whenByOther = (sql: Sql, { userId, byUserId }: Given) =>
  userId === null || userId === byUserId ? sql`null` : sql`clock_timestamp()`;
