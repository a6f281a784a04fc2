-- Who has published a version, null for an API key or the command line, and what it is for.
alter table flow_versions
  add column published_by uuid,
  add column note text;
