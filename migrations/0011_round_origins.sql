-- What began each round of a delivery after its first: {"2": {"by": "replay", "at": …}, "3": {"by": "bulk_replay", "replay_id": …,
-- "at": …}}. A round that a version begins which does not know the column has no entry.
alter table deliveries add column round_origins jsonb;

-- A replay that was resumed first looks behind its cursor for what it had begun and was parked again: the last delivery that
-- this look has reached, null when there is none to make. A version that does not know it goes on from the cursor.
alter table replays add column parked_again_cursor uuid;
