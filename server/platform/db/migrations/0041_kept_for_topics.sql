-- What people keep for a channel. It follows a topic that is moved as a whole, which happens under the lock of state
-- changes, so it must not look through everybody's drafts.
create index drafts_of_channel on drafts (organization_id, channel_id) where channel_id is not null;
create index scheduled_messages_of_channel on scheduled_messages (organization_id, channel_id)
  where channel_id is not null;
