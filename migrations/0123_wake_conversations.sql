-- A message of the contact wakes a conversation that is snoozed.
create function wake_conversation() returns trigger language plpgsql as $$
begin
  update conversations set snoozed_until = null where id = new.conversation_id and snoozed_until is not null;
  return null;
end $$;
create trigger messages_wake after insert on messages for each row
  when (new.direction = 'inbound') execute function wake_conversation();
