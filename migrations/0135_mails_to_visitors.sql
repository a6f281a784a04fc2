-- The visitor of a webchat to whom a mail goes.
alter table mails add column visitor_id uuid;
