-- Mails that tell that runs of a flow fail.
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in ('webhook_disabled', 'flow_failing')) not valid;
