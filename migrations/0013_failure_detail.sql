-- What exactly failed in an attempt's TLS handshake ('self_signed', 'expired', …), beside the reason 'tls'. Null where it is not
-- known, and in attempts that a version has made which does not know the column.
alter table attempts add column detail text;
