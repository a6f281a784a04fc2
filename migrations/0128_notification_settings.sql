-- How users hear of conversations that wait for an agent. A user without a row has the settings of `src/shared/notifications/schema.ts`.
create table notification_settings (
  user_id uuid primary key references users on delete cascade,
  account_id uuid not null references accounts,
  settings jsonb not null,
  -- The shortest of its waits before a mail, in minutes; null for a user who wants no mail.
  mail_minutes integer
);
create index notification_settings_mails on notification_settings (account_id, mail_minutes, user_id) where mail_minutes is not null;
