-- Which meaning of its kinds of blocks a version was published with, as {"condition": 2}; a kind that is not named has its first one.
alter table flow_versions add column block_versions jsonb not null default '{}';
