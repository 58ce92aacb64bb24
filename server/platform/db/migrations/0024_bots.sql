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
