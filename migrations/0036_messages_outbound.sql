-- One order for all that happens in conversations: messages, and what else a flow can wait for.
create sequence messages_seq;

alter table messages
  -- Its place in that order. Messages from before have none: the default comes after the column, so that no row is rewritten.
  add column seq bigint,
  -- What it has beside its text: image_url, quick_replies.
  add column content jsonb,
  -- Of an inbound one: who got it, or why nobody did.
  add column routed_to jsonb;
alter table messages alter column seq set default nextval('messages_seq');
