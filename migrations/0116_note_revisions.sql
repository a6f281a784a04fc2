-- At which revision of its conversation the note was written; null for one from before.
alter table conversation_notes add column revision bigint;
select build_index('conversation_notes_revision', 'conversation_notes', '(conversation_id, revision) where revision is not null');

create trigger conversation_notes_revision before insert on conversation_notes for each row
  when (new.revision is null) execute function take_revision();
