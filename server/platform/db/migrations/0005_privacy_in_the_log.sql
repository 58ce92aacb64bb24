-- The entries by which a channel's privacy changed, for queues that are read again from the log. There are few of them.
create index events_of_privacy on events (organization_id, position) where state->'channels' ? 'before';
