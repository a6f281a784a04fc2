-- The list of conversations on one channel, of which another may have nearly all.
select build_index('conversations_channel', 'conversations', '(channel_id, status, id)');
