-- What whoever is invited is called, where the owner has said so. It becomes the user's name.
alter table invitations add column name text;
