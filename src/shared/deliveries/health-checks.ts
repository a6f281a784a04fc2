import type { Database } from '../platform/db/connect.ts';
import { insertAttempt, type AttemptRecord } from './attempts.ts';
import type { Round } from './rounds.ts';

/** As many as are kept of a round, the latest: whoever asks again and again must not fill the log. */
const keptOfRound = 20;

/**
 * Records the POST of a parked delivery by which a re-enabling asked whether the endpoint is healthy, among the attempts of that
 * round. Nothing else changes: it is none of the ladder's, and makes no delivery delivered.
 */
export const recordHealthCheck = (
  db: Database,
  { deliveryId, round }: Round,
  check: Omit<AttemptRecord, 'generation'>,
): Promise<void> =>
  db.begin(async (sql) => {
    // Two re-enablings may have asked at the same time: each has a number of its own.
    await sql`select from deliveries where id = ${deliveryId} for no key update`;
    const ofRound = sql`delivery_id = ${deliveryId} and round = ${round} and kind = 'check'`;
    const [row] = await sql<{ last: number | null }[]>`select max(number) as last from attempts where ${ofRound}`;
    const number = (row?.last ?? 0) + 1;
    await insertAttempt(sql, { deliveryId, round, kind: 'check', number }, check);
    await sql`delete from attempts where ${ofRound} and number <= ${number - keptOfRound}`;
  });
