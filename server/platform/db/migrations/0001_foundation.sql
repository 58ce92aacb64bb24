-- Everything is keyed by organization first, so that a large installation can be sharded by it.

create table organizations (
  id bigint generated always as identity primary key,
  host text not null unique,
  name text not null,
  settings jsonb not null default '{}',
  created_at timestamptz not null default now(),
  deactivated_at timestamptz
);

-- The head of each organization's log. The row's lock orders commits: positions are assigned while it is
-- held, and every transaction takes it last. state_head is the newest position that changed what the nodes
-- keep in memory.
create table organization_logs (
  organization_id bigint primary key references organizations,
  head bigint not null default 0,
  state_head bigint not null default 0
) with (fillfactor = 10);

-- The log without messages, which have a table of their own and take positions from the same counter.
create table events (
  organization_id bigint not null,
  position bigint not null,
  written_on date not null default (now() at time zone 'utc')::date,
  type text not null,
  payload jsonb not null,
  audience jsonb not null,
  state jsonb,
  primary key (organization_id, position, written_on)
) partition by range (written_on);

-- A transaction's position in the log, for rows that are written before the position is known.
create table log_marks (
  organization_id bigint not null,
  id bigint not null,
  position bigint not null,
  primary key (organization_id, id)
);
create sequence log_mark_ids;

create table users (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  email text not null,
  full_name text not null,
  role smallint not null,
  bot_type smallint,
  bot_owner_id bigint,
  password_hash text,
  timezone text not null default 'UTC',
  -- Coarse: updated when a client connects or disconnects, at most every few hours.
  last_active_at timestamptz,
  avatar_version integer not null default 1,
  settings jsonb not null default '{}',
  joined_at timestamptz not null default now(),
  deactivated_at timestamptz,
  primary key (organization_id, id)
);
create unique index users_email on users (organization_id, lower(email));

-- The key is encrypted, and its keyed hash is for looking it up. Both depend on PARLEY_SECRET.
create table api_keys (
  organization_id bigint not null,
  user_id bigint not null,
  key_hash bytea not null,
  key_encrypted bytea not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users
);
create unique index api_keys_hash on api_keys (organization_id, key_hash);

create table sign_in_failures (
  organization_id bigint not null references organizations,
  username text not null,
  failures integer not null,
  window_started_at timestamptz not null,
  primary key (organization_id, username)
);

-- One-time links that create an organization. Only the keyed hash of the token is stored.
create table organization_invitations (
  token_hash bytea primary key,
  created_at timestamptz not null default now(),
  used_at timestamptz
);

create table groups (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  name text not null,
  description text not null default '',
  system_role smallint,
  creator_id bigint,
  settings jsonb not null default '{}',
  created_at timestamptz not null default now(),
  deactivated_at timestamptz,
  primary key (organization_id, id)
);
create unique index groups_name on groups (organization_id, lower(name));

create table group_members (
  organization_id bigint not null,
  group_id bigint not null,
  user_id bigint not null,
  primary key (organization_id, group_id, user_id),
  foreign key (organization_id, group_id) references groups,
  foreign key (organization_id, user_id) references users
);

create table group_subgroups (
  organization_id bigint not null,
  group_id bigint not null,
  subgroup_id bigint not null,
  primary key (organization_id, group_id, subgroup_id),
  foreign key (organization_id, group_id) references groups,
  foreign key (organization_id, subgroup_id) references groups
);

-- Channels and direct-message conversations are both recipients of messages and share their ids.
create sequence recipient_ids;

create table channel_folders (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  name text not null,
  description text not null default '',
  rendered_description text not null default '',
  creator_id bigint,
  sort_order integer not null,
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (organization_id, id)
);

create table channels (
  organization_id bigint not null references organizations,
  id bigint not null default nextval('recipient_ids'),
  name text not null,
  description text not null default '',
  rendered_description text not null default '',
  is_private boolean not null default false,
  is_web_public boolean not null default false,
  is_history_shared boolean not null default true,
  is_default boolean not null default false,
  topics_policy text not null default 'inherit',
  message_retention_days integer,
  folder_id bigint,
  creator_id bigint,
  group_settings jsonb not null default '{}',
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, folder_id) references channel_folders
);
create unique index channels_name on channels (organization_id, lower(name));

-- All times of subscription, kept forever, since they decide who received a message. The marks resolve to
-- positions. A message with id m was received if from < m and (to is null or m < to).
create table subscriptions (
  organization_id bigint not null,
  channel_id bigint not null,
  user_id bigint not null,
  from_mark bigint not null,
  to_mark bigint,
  foreign key (organization_id, channel_id) references channels,
  foreign key (organization_id, user_id) references users
);
create unique index subscriptions_current on subscriptions (organization_id, channel_id, user_id) where to_mark is null;
create index subscriptions_of_user on subscriptions (organization_id, user_id, channel_id);

-- A person's settings of a channel. Without a row all have their defaults.
create table subscription_preferences (
  organization_id bigint not null,
  user_id bigint not null,
  channel_id bigint not null,
  color text,
  is_muted boolean not null default false,
  is_pinned boolean not null default false,
  desktop_notifications boolean,
  audible_notifications boolean,
  push_notifications boolean,
  email_notifications boolean,
  wildcard_mentions_notify boolean,
  primary key (organization_id, user_id, channel_id),
  foreign key (organization_id, user_id) references users,
  foreign key (organization_id, channel_id) references channels
);

create table conversations (
  organization_id bigint not null references organizations,
  id bigint not null default nextval('recipient_ids'),
  user_ids bigint[] not null,
  primary key (organization_id, id)
);
create unique index conversations_people on conversations (organization_id, user_ids);

create table conversation_members (
  organization_id bigint not null,
  user_id bigint not null,
  conversation_id bigint not null,
  primary key (organization_id, user_id, conversation_id),
  foreign key (organization_id, user_id) references users,
  foreign key (organization_id, conversation_id) references conversations
);

create table topics (
  organization_id bigint not null,
  id bigint generated always as identity,
  channel_id bigint not null,
  name text not null,
  primary key (organization_id, id),
  foreign key (organization_id, channel_id) references channels
);
create unique index topics_name on topics (organization_id, channel_id, lower(name));

-- A message is its own log entry: its id is its position. It has no foreign keys, since its ids come from
-- rows that are never deleted, and each check would cost a lookup on the send path.
create table messages (
  organization_id bigint not null,
  id bigint not null,
  recipient_id bigint not null,
  topic_id bigint,
  sender_id bigint not null,
  client text not null,
  sent_at timestamptz not null,
  facts integer not null,
  content text not null,
  rendered_content text not null,
  mentioned_group_ids bigint[],
  -- The queue that sent it and its local id there, so that any node can echo it, even after a crash.
  local_queue_id uuid,
  local_id text,
  edited_at timestamptz,
  moved_at timestamptz,
  primary key (organization_id, id)
);
create index messages_of_recipient on messages (organization_id, recipient_id, id);
create index messages_of_topic on messages (organization_id, topic_id, id) where topic_id is not null;
create index messages_of_sender on messages (organization_id, sender_id, id);
-- The few messages that mention everyone in their channel or topic (bits 1 and 2 of facts), or a group.
create index messages_to_many on messages (organization_id, id)
  where facts & 3 <> 0 or mentioned_group_ids is not null;

-- The flags of one person on one message (starred, collapsed, mentioned, alert word), which few messages
-- have.
create table message_flags (
  organization_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  flags integer not null,
  primary key (organization_id, user_id, message_id)
);
create index message_flags_of_message on message_flags (organization_id, message_id);

-- The messages of a channel or conversation that a person has read, as ranges of message ids. A range also
-- covers the ids of other conversations in between. Only messages received in the present subscription can be
-- outside the ranges and unread. An older message is read unless marked_unread contains it.
create table read_states (
  organization_id bigint not null,
  user_id bigint not null,
  recipient_id bigint not null,
  ranges int8multirange not null,
  marked_unread int8multirange not null default '{}',
  primary key (organization_id, user_id, recipient_id)
) with (fillfactor = 70);

-- A queue is this row with a cursor on the log. Any node can serve it.
create table event_queues (
  organization_id bigint not null references organizations,
  id uuid not null,
  user_id bigint not null,
  cursor bigint not null,
  started_at bigint not null,
  options jsonb not null,
  lifespan_seconds integer not null,
  last_seen_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users
) with (fillfactor = 70);
create index event_queues_last_seen on event_queues (last_seen_at);
