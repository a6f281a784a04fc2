-- A replay that was resumed first looks behind its cursor for what it had begun and was parked again: the last delivery that
-- this look has reached, null when there is none to make. A version that does not know it goes on from the cursor.
alter table replays add column parked_again_cursor uuid;
