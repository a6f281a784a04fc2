-- What exactly was wrong with a channel's server at the last attempt ('expired', 'http_2_only', …), beside the reason 'tls' or 'protocol'.
-- Null where it is not known, and where a version has made the attempt that does not know the column.
alter table outbound_messages add column detail text;
