-- What belongs to a bot beside its account. A bot from an earlier version has no row, which stands for defaults.
create table bots (
  organization_id bigint not null,
  user_id bigint not null,
  default_sending_channel_id bigint,
  default_events_channel_id bigint,
  default_all_public_channels boolean not null default false,
  -- Settings of the bot's program, by name.
  config jsonb not null default '{}',
  service_name text,
  -- The address that the server calls for an outgoing webhook bot, and how. The token goes with each call.
  payload_url text,
  interface smallint not null default 1,
  token_encrypted bytea,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users,
  check ((payload_url is null) = (token_encrypted is null))
);

-- Texts that a bot's program keeps on the server.
create table bot_storage (
  organization_id bigint not null,
  user_id bigint not null,
  key text not null,
  value text not null,
  primary key (organization_id, user_id, key),
  foreign key (organization_id, user_id) references users
);

-- A message with which the server is to call a bot's program. The row goes when that is done: it was called,
-- its reply is posted, or the call has failed for good.
create table webhook_deliveries (
  organization_id bigint not null,
  id bigint generated always as identity,
  bot_id bigint not null,
  message_id bigint not null,
  trigger text not null check (trigger in ('direct_message', 'mention')),
  -- Calls that have begun. Only the last one may finish the delivery.
  tries integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, bot_id) references users
);
