-- The revision of the draft that the flow's version was made of: the draft has changed since when they differ.
alter table flows add column published_revision integer;
