-- Conversations that agents have to answer and in which something may be unseen, for the mails of users who want one after so many minutes.
-- Whoever sees or answers it ends the wait. `since`: when it began; `due_at`: when to look whom to mail.
create table unseen_waits (
  conversation_id uuid primary key references conversations on delete cascade,
  account_id uuid not null,
  since timestamptz not null,
  due_at timestamptz not null
);
create index unseen_waits_due on unseen_waits (due_at);

-- Begins the wait of a conversation where some user of its account gets mails.
create function note_unseen(account uuid, conversation uuid) returns void language sql as $$
  insert into unseen_waits (conversation_id, account_id, since, due_at)
  select conversation, account, clock_timestamp(), clock_timestamp() + make_interval(mins => soonest.mail_minutes) from (
    select mail_minutes from notification_settings
    where account_id = account and mail_minutes is not null order by mail_minutes limit 1) as soonest
  on conflict (conversation_id) do nothing
$$;

-- A message of the contact wakes a conversation that is snoozed, and begins the wait of one that is not the bot's.
create or replace function wake_conversation() returns trigger language plpgsql as $$
declare
  talk record;
begin
  select account_id, status, assigned_to, waiting_since, snoozed_until into talk from conversations where id = new.conversation_id;
  if talk.snoozed_until is not null then
    update conversations set snoozed_until = null where id = new.conversation_id;
  elsif talk.status = 'open' and (talk.assigned_to is not null or talk.waiting_since is not null) then
    perform note_unseen(talk.account_id, new.conversation_id);
  end if;
  return null;
end $$;

create function follow_unseen() returns trigger language plpgsql as $$
begin
  if new.status = 'open' and new.snoozed_until is null and (new.assigned_to is not null or new.waiting_since is not null)
    and not (new.read_to is not null and (old.read_to is null or new.read_to > old.read_to)) then
    perform note_unseen(new.account_id, new.id);
  else
    delete from unseen_waits where conversation_id = new.id;
  end if;
  return null;
end $$;
create trigger conversations_unseen after update of status, assigned_to, snoozed_until, waiting_since, read_to on conversations for each row
  when ((new.status, new.assigned_to, new.snoozed_until, new.waiting_since, new.read_to)
    is distinct from (old.status, old.assigned_to, old.snoozed_until, old.waiting_since, old.read_to))
  execute function follow_unseen();
