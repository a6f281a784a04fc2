-- Which item of a list an attempt is for, counted from 0, where the block makes its request for each.
alter table requests add column item_index integer;
