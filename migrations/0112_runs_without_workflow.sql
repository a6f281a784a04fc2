-- Whether the run has no workflow, because it was over before it needed one.
alter table runs add column without_workflow boolean not null default false;
