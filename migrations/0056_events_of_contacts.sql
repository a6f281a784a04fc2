-- For a contact's timeline. What its messages and orders tell by themselves is left out: the usual inbound message pays nothing.
select add_log_index('events_contact', 'events', $$(contact_id, id) where name not in ('new_message', 'order_placed')$$);
