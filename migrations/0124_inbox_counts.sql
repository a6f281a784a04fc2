-- How many conversations of an account are where: kept rows, and what has changed since they were kept. No two conversations wait for one row.
create table inbox_counts (
  account_id uuid not null,
  stage text not null check (stage in ('open', 'waiting', 'snoozed', 'closed')),
  channel_id uuid not null,
  assigned_to uuid,
  count bigint not null
);
create unique index inbox_counts_cell on inbox_counts (account_id, stage, channel_id, assigned_to) nulls not distinct;

create table inbox_deltas (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  stage text not null,
  channel_id uuid not null,
  assigned_to uuid,
  delta integer not null
);
create index inbox_deltas_account on inbox_deltas (account_id, id);

create function inbox_stage(conversation conversations) returns text language sql immutable as $$
  select case when conversation.status = 'closed' then 'closed' when conversation.snoozed_until is not null then 'snoozed'
    when conversation.waiting_since is not null then 'waiting' else 'open' end
$$;

create function count_conversation() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into inbox_deltas (account_id, stage, channel_id, assigned_to, delta)
    values (new.account_id, inbox_stage(new), new.channel_id, new.assigned_to, 1);
  elsif (inbox_stage(new), new.assigned_to) is distinct from (inbox_stage(old), old.assigned_to) then
    insert into inbox_deltas (account_id, stage, channel_id, assigned_to, delta)
    values (old.account_id, inbox_stage(old), old.channel_id, old.assigned_to, -1),
      (new.account_id, inbox_stage(new), new.channel_id, new.assigned_to, 1);
  end if;
  return null;
end $$;
create trigger conversations_counted after insert on conversations for each row execute function count_conversation();
create trigger conversations_recounted after update on conversations for each row
  when ((new.status, new.assigned_to, new.waiting_since, new.snoozed_until)
    is distinct from (old.status, old.assigned_to, old.waiting_since, old.snoozed_until))
  execute function count_conversation();

insert into inbox_counts (account_id, stage, channel_id, assigned_to, count)
select account_id, inbox_stage(v), channel_id, assigned_to, count(*) from conversations v group by 1, 2, 3, 4;
