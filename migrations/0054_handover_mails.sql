-- Users who want a mail for each handover of their account.
create table handover_recipients (
  user_id uuid primary key references users on delete cascade,
  account_id uuid not null references accounts
);
create index handover_recipients_account on handover_recipients (account_id, user_id);
