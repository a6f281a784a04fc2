-- Mails with a link that has a token, which is made when the mail is sent. Until then such a mail is `pending_link`: processes of the version
-- before, which would send it without, leave it alone.
alter table mails
  -- Where the link leads, without the token.
  add column link text,
  -- The invitation or user that the link is for.
  add column link_to uuid;
-- Every kind of mail so far has changed this list here and in the service. The service's types are enough.
alter table mails drop constraint if exists mails_kind_check;
alter table mails drop constraint mails_status_check;
alter table mails add constraint mails_status_check
  check (status in ('pending', 'pending_link', 'sent', 'refused', 'withdrawn')) not valid;
create index mails_link_to on mails (link_to, created_at) where link_to is not null;
