-- What colleagues call a user. Null where nobody has said so yet, and where a version has made the user that does not know the column.
alter table users add column name text;
