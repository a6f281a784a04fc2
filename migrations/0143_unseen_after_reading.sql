-- What came after the message to which somebody has read is still unseen: its wait begins anew.
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
  end if;
  return null;
end $$;
