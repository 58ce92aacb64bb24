-- Statistics by day (UTC), counted behind the log.

-- How far an organization's log is counted. It moves in the transaction that adds the counts.
create table statistics_cursors (
  organization_id bigint primary key references organizations (id),
  position bigint not null default 0,
  -- When everything up to the head was last counted. null: that has never been so.
  counted_at timestamptz,
  -- It is known from this day on who was active.
  active_since date not null
);

create table statistics_days (
  organization_id bigint not null references organizations (id),
  day date not null,
  public_messages bigint not null default 0,
  private_messages bigint not null default 0,
  direct_messages bigint not null default 0,
  -- Of all of these.
  bot_messages bigint not null default 0,
  -- null: not known.
  active_people integer,
  active_people_7_days integer,
  active_people_28_days integer,
  -- As they were at the last turn of the day. null: there was none.
  owners integer,
  administrators integer,
  moderators integer,
  members integer,
  guests integer,
  deactivated_people integer,
  bots integer,
  public_channels integer,
  private_channels integer,
  archived_channels integer,
  upload_bytes bigint,
  primary key (organization_id, day)
);

create table statistics_channel_days (
  organization_id bigint not null,
  day date not null,
  channel_id bigint not null,
  messages bigint not null,
  primary key (organization_id, day, channel_id),
  foreign key (organization_id, channel_id) references channels (organization_id, id)
);

-- Who was active on the last days, as needed to count different people. Nothing else reads it.
create table active_days (
  organization_id bigint not null,
  day date not null,
  user_id bigint not null,
  primary key (organization_id, day, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id)
);
