-- At which revision of its conversation the message came, or its `routed_to` changed last; null for one from before.
alter table messages add column revision bigint;
select build_index('messages_revision', 'messages', '(conversation_id, revision) where revision is not null');

create trigger messages_revision before insert on messages for each row
  when (new.revision is null) execute function take_revision();

create function revise_message() returns trigger language plpgsql as $$
begin
  update messages set revision = next_revision(new.conversation_id) where id = new.id;
  return null;
end $$;
-- The transaction that receives a message says first where it goes.
create trigger messages_routed_revision after update of routed_to on messages for each row
  when (old.routed_to is not null and new.routed_to is distinct from old.routed_to and new.revision is not distinct from old.revision)
  execute function revise_message();
