-- A message that its sender wants to be sent later. A job sends it, and deletes the row in the same transaction.
create table scheduled_messages (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  sender_id bigint not null,
  -- Either a channel and a topic, or the people of a direct message, the sender among them.
  channel_id bigint,
  topic text,
  user_ids bigint[],
  content text not null,
  rendered_content text not null,
  -- The client program that scheduled it.
  client text not null,
  read_by_sender boolean not null,
  deliver_at timestamptz not null,
  -- It could not be sent at its time. It stays until its sender gives it a new time or deletes it.
  is_failed boolean not null default false,
  primary key (organization_id, id),
  foreign key (organization_id, sender_id) references users,
  check (num_nonnulls(channel_id, user_ids) = 1 and (channel_id is null) = (topic is null))
);

create index scheduled_messages_of_sender on scheduled_messages (organization_id, sender_id, deliver_at);
