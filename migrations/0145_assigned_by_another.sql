-- When somebody else gave a conversation to the user who looks after it: pages notify them of that. Null where they took it themselves.
alter table conversations add column assigned_by_other_at timestamptz;

create or replace function derive_inbox_state() returns trigger language plpgsql as $$
begin
  new.waiting_since := null;
  if new.assigned_to is null then
    new.assigned_by_other_at := null;
  end if;
  if new.status = 'closed' then
    new.snoozed_until := null;
  elsif new.assigned_to is null then
    select date_trunc('milliseconds', created_at) into new.waiting_since from handovers
    where contact_id = new.contact_id and status = 'open' and conversation_id = new.id;
  end if;
  return new;
end $$;

-- A wait may have been for users who hear of it later than the one who gets the conversation.
create or replace function follow_unseen() returns trigger language plpgsql as $$
declare
  waits constant boolean := new.status = 'open' and new.snoozed_until is null and (new.assigned_to is not null or new.waiting_since is not null);
  is_read constant boolean := new.read_to is not null and (old.read_to is null or new.read_to > old.read_to);
begin
  if is_read or not waits then
    delete from unseen_waits where conversation_id = new.id;
  end if;
  if waits and (not is_read
    or exists (select from messages where conversation_id = new.id and id > new.read_to and direction = 'inbound')) then
    perform note_unseen(new.account_id, new.id);
    if new.assigned_to is distinct from old.assigned_to and new.assigned_by_other_at is not null then
      update unseen_waits set due_at = least(due_at, clock_timestamp()) where conversation_id = new.id;
    end if;
  end if;
  return null;
end $$;
