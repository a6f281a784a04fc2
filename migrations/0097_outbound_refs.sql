-- The id that the service of a channel has given a message, by which its receipts name it, and when the contact has read it.
alter table outbound_messages add column external_ref text, add column read_at timestamptz;
select build_index('outbound_messages_external_ref', 'outbound_messages', '(account_id, external_ref) where external_ref is not null');
