-- The conversations with the latest messages are found by the messages.
select build_index('messages_account', 'messages', '(account_id, id)');
