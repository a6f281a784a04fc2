-- The cursor of a conversation: counts up under the lock of its row with each change of it, of its messages, notes and acts. Each message changes the
-- row, so pages keep room for another version of it.
alter table conversations add column revision bigint not null default 0;
alter table conversations set (fillfactor = 85);

-- A process of 0.3 takes no revision. Triggers take it then, and for nobody else; they go with the release that ends upgrades from 0.3. Those of updates
-- come after the row: in a table with row triggers before updates, `returning old` tells what was there before a wait for another's lock.
create function next_revision(conversation_id uuid) returns bigint language sql as $$
  update conversations set revision = revision + 1 where id = conversation_id returning revision
$$;

create function revise_conversation() returns trigger language plpgsql as $$
begin
  perform next_revision(new.id);
  return null;
end $$;
create trigger conversations_revision after update of status, assigned_to, read_to on conversations for each row
  when (new.revision = old.revision and (new.status, new.assigned_to, new.read_to) is distinct from (old.status, old.assigned_to, old.read_to))
  execute function revise_conversation();

-- Of a new row of a table with `conversation_id` and `revision`.
create function take_revision() returns trigger language plpgsql as $$
begin
  new.revision := next_revision(new.conversation_id);
  return new;
end $$;
