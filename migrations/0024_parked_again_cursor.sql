-- A resumed replay first looks, behind its cursor, for deliveries that it had begun and that were parked again. This is the last delivery that
-- it has looked at; null when there is nothing to look for. 0.2 goes on from the cursor.
alter table replays add column parked_again_cursor uuid;
