-- Who may have to be told by mail of a message: a row is written by what follows the log, not by the send. It goes
-- when the mail is enqueued, or when the message is read.
create table missed_messages (
  organization_id bigint not null references organizations,
  user_id bigint not null,
  message_id bigint not null,
  -- When the person is looked at: a while after the first of their messages.
  due_at timestamptz not null,
  -- What waits for longer than a day goes.
  sent_at timestamptz not null,
  primary key (organization_id, user_id, message_id),
  foreign key (organization_id, user_id) references users
);
create index missed_messages_due on missed_messages (due_at);
create index missed_messages_sent on missed_messages (sent_at);

-- Up to where the log was looked through. Without a row: nothing yet.
create table missed_message_cursors (
  organization_id bigint primary key references organizations,
  position bigint not null
);
-- Nobody gets mail of what was sent before.
insert into missed_message_cursors (organization_id, position)
select organization_id, head from organization_logs;

-- The few people who chose something else for a channel than for all.
create index subscription_preferences_with_mail on subscription_preferences (organization_id, channel_id)
  where email_notifications is not null or wildcard_mentions_notify is not null;

-- The devices from which a person signed in, by keyed hashes.
create table known_devices (
  organization_id bigint not null references organizations,
  user_id bigint not null,
  device_hash bytea not null,
  seen_at timestamptz not null default now(),
  primary key (organization_id, user_id, device_hash),
  foreign key (organization_id, user_id) references users
);

-- null: the address was not reminded of its invitation. The reminder has a link of its own, beside the first one.
alter table invitations add column reminded_at timestamptz, add column reminder_token_hash bytea;
create unique index invitations_reminder_token on invitations (organization_id, reminder_token_hash)
  where reminder_token_hash is not null;
