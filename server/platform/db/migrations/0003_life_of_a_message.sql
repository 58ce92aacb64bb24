-- Changes of messages after they were sent, and people's own settings about topics, other people and words.

-- One row for each change of a message's text, topic or channel. A column is null if its value did not
-- change.
create table message_edits (
  organization_id bigint not null,
  message_id bigint not null,
  id bigint generated always as identity,
  editor_id bigint not null,
  edited_at timestamptz not null,
  previous_content text,
  previous_rendered_content text,
  previous_topic text,
  topic text,
  previous_channel_id bigint,
  channel_id bigint,
  primary key (organization_id, message_id, id)
);

create table reactions (
  organization_id bigint not null,
  message_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  reaction_type text not null,
  emoji_code text not null,
  emoji_name text not null,
  primary key (organization_id, message_id, id)
);
create unique index reactions_once on reactions (organization_id, message_id, user_id, reaction_type, emoji_code);
create index reactions_of_user on reactions (organization_id, user_id, message_id);

create table submessages (
  organization_id bigint not null,
  message_id bigint not null,
  id bigint generated always as identity,
  sender_id bigint not null,
  kind text not null,
  content text not null,
  primary key (organization_id, message_id, id)
);

-- A person's policy for a topic: 1 muted, 2 unmuted, 3 followed. Without a row the channel's setting applies.
create table topic_policies (
  organization_id bigint not null,
  user_id bigint not null,
  topic_id bigint not null,
  policy smallint not null,
  updated_at timestamptz not null default now(),
  primary key (organization_id, user_id, topic_id),
  foreign key (organization_id, user_id) references users,
  foreign key (organization_id, topic_id) references topics
);
create index topic_policies_of_topic on topic_policies (organization_id, topic_id);

-- `ended_at` is set when the person is unmuted. Messages that came before it stay read.
create table muted_users (
  organization_id bigint not null,
  user_id bigint not null,
  muted_user_id bigint not null,
  muted_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (organization_id, user_id, muted_user_id),
  foreign key (organization_id, user_id) references users,
  foreign key (organization_id, muted_user_id) references users
);

create table alert_words (
  organization_id bigint not null,
  user_id bigint not null,
  word text not null,
  primary key (organization_id, user_id, word),
  foreign key (organization_id, user_id) references users
);

create table linkifiers (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  pattern text not null,
  url_template text not null,
  sort_order int not null,
  primary key (organization_id, id)
);

create table custom_emoji (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  name text not null,
  file_name text not null,
  is_animated boolean not null default false,
  author_id bigint,
  deactivated_at timestamptz,
  primary key (organization_id, id)
);
create unique index custom_emoji_name on custom_emoji (organization_id, name) where deactivated_at is null;
