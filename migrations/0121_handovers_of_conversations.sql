-- Taking a handover assigns its conversation, and the end of a handover gives the conversation back to the bot.
create function assign_conversation() returns trigger language plpgsql as $$
declare
  agent uuid := case when new.status = 'open' then new.assigned_to end;
  waiting timestamptz := case when new.status = 'open' and agent is null then date_trunc('milliseconds', new.created_at) end;
begin
  update conversations set assigned_to = agent, waiting_since = waiting, revision = revision + 1
  where id = new.conversation_id and status = 'open' and (assigned_to, waiting_since) is distinct from (agent, waiting);
  return null;
end $$;
create trigger handovers_requested after insert on handovers for each row
  when (new.status = 'open' and new.conversation_id is not null) execute function assign_conversation();
create trigger handovers_changed after update of status, assigned_to, conversation_id on handovers for each row
  when (new.conversation_id is not null and (old.status = 'open' or new.status = 'open')
    and (new.status, new.assigned_to, new.conversation_id) is distinct from (old.status, old.assigned_to, old.conversation_id))
  execute function assign_conversation();

-- A handover of a conversation that somebody looks after has been taken by them.
create function take_own_handover() returns trigger language plpgsql as $$
begin
  if new.assigned_to is null then
    select assigned_to into new.assigned_to from conversations where id = new.conversation_id and status = 'open';
  end if;
  return new;
end $$;
create trigger handovers_taken before insert on handovers for each row
  when (new.status = 'open' and new.conversation_id is not null) execute function take_own_handover();
create trigger handovers_adopted before update of conversation_id on handovers for each row
  when (new.status = 'open' and old.conversation_id is null and new.conversation_id is not null) execute function take_own_handover();

-- Those from before, of which handover and conversation may say different things.
update handovers h set assigned_to = v.assigned_to
from conversations v where v.id = h.conversation_id and h.status = 'open' and h.assigned_to is null and v.assigned_to is not null;
update conversations v set assigned_to = h.assigned_to, waiting_since = case when h.assigned_to is null then date_trunc('milliseconds', h.created_at) end
from handovers h where h.status = 'open' and v.id = h.conversation_id and v.status = 'open';
