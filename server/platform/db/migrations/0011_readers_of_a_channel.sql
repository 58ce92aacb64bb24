-- An edit asks at once what all subscribers of a channel have read. The index names the person too: with old
-- statistics PostgreSQL may take it for the primary key when it looks up a single row, and must not lose by it.
create index read_states_of_recipient on read_states (organization_id, recipient_id, user_id);

-- Nearly no queue listens to all public channels, and an edit asks who does.
create index event_queues_all_public on event_queues (organization_id, user_id)
  where options @> '{"allPublicStreams": true}';
