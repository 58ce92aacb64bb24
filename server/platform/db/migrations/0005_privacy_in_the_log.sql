-- The few entries that changed a channel's privacy. Queues that are replayed from the log look them up.
create index events_of_privacy on events (organization_id, position) where state->'channels' ? 'before';
