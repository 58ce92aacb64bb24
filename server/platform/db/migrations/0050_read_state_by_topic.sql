-- What a person has read of one topic (decision 59). It decides for the messages of the topic where it says
-- anything: `ranges` are read, `gaps` are not. For all others the row of the channel in read_states decides, which
-- is one range up to a floor for somebody who reads everything. A range may cover ids that are not in the topic.
-- `marked_unread` is within the gaps: these are unread although they are from before the present subscription.
create table topic_read_states (
  organization_id bigint not null,
  user_id bigint not null,
  channel_id bigint not null,
  topic_id bigint not null,
  ranges int8multirange not null default '{}',
  gaps int8multirange not null default '{}',
  marked_unread int8multirange not null default '{}',
  primary key (organization_id, user_id, channel_id, topic_id)
) with (fillfactor = 70);
-- For edits, receipts and moves, which ask about everybody. It names the person too, as read_states_of_recipient.
create index topic_read_states_of_topic on topic_read_states (organization_id, topic_id, user_id);
-- Few rows have gaps, and a look for unread messages needs all of those.
create index topic_read_states_with_gaps on topic_read_states (organization_id, user_id, channel_id)
  where not isempty(gaps);

-- Who read a message before it moved to another channel: the row of its former topic says it. null: of an older
-- release, or not moved to another channel.
alter table message_edits add column previous_topic_id bigint;

-- Rows of channels that an older release has written: one range for each gap, and what was marked as unread by hand.
-- They are right as they are. A job moves what they say into rows of topics, since long ones are slow to look at.
create table old_read_states (
  organization_id bigint not null,
  user_id bigint not null,
  channel_id bigint not null,
  primary key (organization_id, user_id, channel_id)
);
insert into old_read_states
  select r.organization_id, r.user_id, r.recipient_id from read_states r
  join channels c on c.organization_id = r.organization_id and c.id = r.recipient_id
  where not isempty(r.marked_unread) or (select count(*) from unnest(r.ranges)) > 8;
