-- A delivery that went straight from the outbox, and whose first round left nothing for a workflow to do.
alter table deliveries add column without_workflow boolean not null default false;
