/** What began a round after the first; `replayId` is the UUID of the bulk replay. */
export type RoundOrigin = { by: 'replay' } | { by: 'bulk_replay' | 're_enabling'; replayId: string };

/** The same as it is stored, by the round's number and with the time at which it began. */
export type StoredOrigins = Readonly<
  Record<string, { by: RoundOrigin['by']; replay_id?: string; at: string } | undefined>
>;
