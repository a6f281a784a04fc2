-- Since when a contact wants nothing more over the channel; null again once it writes.
alter table contact_identities add column blocked_at timestamptz;
