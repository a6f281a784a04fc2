-- At which revision of its conversation the message came, or its `routed_to` changed last; null for one from before.
alter table messages add column revision bigint;
select build_index('messages_revision', 'messages', '(conversation_id, revision) where revision is not null');

create trigger messages_revision before insert on messages for each row
  when (new.revision is null) execute function take_revision();
-- The transaction that receives a message says first where it goes.
create trigger messages_routed_revision before update of routed_to on messages for each row
  when (old.routed_to is not null and new.routed_to is distinct from old.routed_to and new.revision is not distinct from old.revision)
  execute function take_revision();
