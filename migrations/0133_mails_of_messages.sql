-- A mail about a message that nobody has seen is withdrawn once somebody has, and its reader can have no more of them by a link.
alter table mails add column user_id uuid;
alter table mails add column conversation_id uuid;
alter table mails add column message_id uuid;
