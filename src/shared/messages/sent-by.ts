import { z } from 'zod';
import { showId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';

/** `id` is a UUID where it is stored, of a user or a run. */
type SentBy = { type: 'user' | 'flow' | 'api'; id: string | null };

/** Who wrote a message to a contact. */
export const sentBy = {
  schema: z.object({
    type: z.enum(['user', 'flow', 'api']),
    id: z.string().nullable().meta({ description: 'The id of the user, or of the run of the flow; null for api.' }),
  }),
  show: ({ type, id: uuid }: SentBy) => ({ type, id: uuid && showId(type === 'user' ? 'user' : 'run', uuid) }),
};

/** SQL: who has written message `m` with its sending side `o`, if it is to a contact. */
export const selectSentBy = (sql: Sql) => sql`
  case when m.direction = 'outbound' then json_build_object('id', coalesce(o.user_id, o.run_id),
    'type', case when o.user_id is not null then 'user' when o.run_id is not null then 'flow' else 'api' end) end`;
