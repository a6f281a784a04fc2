-- What began each round of a delivery after its first: {"2": {"by": "replay", "at": …}, "3": {"by": "bulk_replay", "replay_id": …,
-- "at": …}}. A round that a version begins which does not know the column has no entry.
alter table deliveries add column round_origins jsonb;
