import { z } from 'zod';
import { showId } from '../ids.ts';

/** The cause of a round after the first; `replayId` is a UUID. */
export type RoundOrigin = { by: 'replay' } | { by: 'bulk_replay' | 're_enabling'; replayId: string };

/** Stored origins, by the number of the round; `at` is when it began. */
export type StoredOrigins = Readonly<
  Record<string, { by: RoundOrigin['by']; replay_id?: string; at: string } | undefined>
>;

export const roundBody = z
  .object({
    round: z.int(),
    begun_by: z.enum(['event', 'replay', 'bulk_replay', 're_enabling']).nullable().meta({
      description:
        'The event itself (a test event, too), a replay of this delivery, a bulk replay, or the replay of a re-enabling. Null if unknown: a version before 0.3 started it.',
    }),
    replay_id: z.string().nullable().meta({ description: 'The bulk replay.' }),
    begun_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Round' });

type Rounds = { round: number; roundOrigins: StoredOrigins | null; createdAt: Date };

/** Shows the rounds, the first one first. */
export const showRounds = ({ round, roundOrigins, createdAt }: Rounds): z.infer<typeof roundBody>[] =>
  Array.from({ length: round }, (_, index) => {
    const number = index + 1;
    if (number === 1) {
      return { round: number, begun_by: 'event', replay_id: null, begun_at: createdAt.toISOString() };
    }
    const origin = roundOrigins?.[number];
    return {
      round: number,
      begun_by: origin?.by ?? null,
      replay_id: origin?.replay_id === undefined ? null : showId('replay', origin.replay_id),
      begun_at: origin ? new Date(origin.at).toISOString() : null,
    };
  });
