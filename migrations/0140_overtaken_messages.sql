-- Whether an inbound message would stand before an answer in its conversation, or before what has been read there, by its id. A volatile function sees
-- what was committed by now: also what somebody has written while the statement that calls it waited for a lock.
create function is_overtaken(conversation uuid, message uuid) returns boolean language plpgsql volatile as $$
begin
  return exists (select from messages where conversation_id = conversation and id > message and direction = 'outbound')
    or exists (select from conversations where id = conversation and read_to > message);
end $$;
