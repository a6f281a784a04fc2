-- At which revision of its conversation the sending of the message changed last; null where it has not since it was queued.
alter table outbound_messages add column revision bigint;
select build_index('outbound_messages_revision', 'outbound_messages', '(conversation_id, revision) where revision is not null');

create function revise_sending() returns trigger language plpgsql as $$
begin
  update outbound_messages set revision = next_revision(new.conversation_id) where message_id = new.message_id;
  return null;
end $$;
create trigger outbound_messages_revision after update of status, reason, attempts_made, next_attempt_at, read_at on outbound_messages for each row
  when (new.revision is not distinct from old.revision
    and (new.status, new.reason, new.attempts_made, new.next_attempt_at, new.read_at)
      is distinct from (old.status, old.reason, old.attempts_made, old.next_attempt_at, old.read_at))
  execute function revise_sending();
