-- Since when an open conversation waits for an agent, and until when it is snoozed. Triggers keep both, also for processes of 0.3, which know of neither.
alter table conversations add column waiting_since timestamptz;
alter table conversations add column snoozed_until timestamptz;
select build_index('conversations_waiting', 'conversations', '(account_id, waiting_since, id) where waiting_since is not null');
select build_index('conversations_snoozed', 'conversations', '(account_id, id) where snoozed_until is not null');
select build_index('conversations_snooze_over', 'conversations', '(snoozed_until) where snoozed_until is not null');

-- A conversation waits while nobody looks after it and its handover is open. Cursors of lists have times in milliseconds.
create function derive_inbox_state() returns trigger language plpgsql as $$
begin
  new.waiting_since := null;
  if new.status = 'closed' then
    new.snoozed_until := null;
  elsif new.assigned_to is null then
    select date_trunc('milliseconds', created_at) into new.waiting_since from handovers
    where contact_id = new.contact_id and status = 'open' and conversation_id = new.id;
  end if;
  return new;
end $$;
create trigger conversations_inbox_state before update of status, assigned_to on conversations for each row
  when ((new.status, new.assigned_to) is distinct from (old.status, old.assigned_to))
  execute function derive_inbox_state();

-- Whoever looks after a conversation has its open handover.
create function take_handover() returns trigger language plpgsql as $$
begin
  update handovers set assigned_to = new.assigned_to
  where contact_id = new.contact_id and status = 'open' and conversation_id = new.id and assigned_to is distinct from new.assigned_to;
  return null;
end $$;
create trigger conversations_take_handover after update of assigned_to on conversations for each row
  when (new.status = 'open' and new.assigned_to is distinct from old.assigned_to) execute function take_handover();
