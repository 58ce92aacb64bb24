-- Additions to channels and groups: sets of channels to offer to new people, and a bot that posts notices.

create table default_channel_groups (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  name text not null,
  description text not null default '',
  primary key (organization_id, id)
);
create unique index default_channel_groups_name on default_channel_groups (organization_id, lower(name));

create table default_channel_group_channels (
  organization_id bigint not null,
  group_id bigint not null,
  channel_id bigint not null,
  primary key (organization_id, group_id, channel_id),
  foreign key (organization_id, group_id) references default_channel_groups on delete cascade,
  foreign key (organization_id, channel_id) references channels
);

-- Accounts of the service itself. Nobody can sign in to them, and they belong to no group.
alter table users add column is_system boolean not null default false;
insert into users (organization_id, email, full_name, role, bot_type, is_system)
  select id, 'notification-bot@' || host, 'Notification Bot', 400, 1, true from organizations
  on conflict do nothing;
