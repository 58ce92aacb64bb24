-- What a person has done in the present hour, of the things that are limited by the hour.
create table quota_usage (
  organization_id bigint not null references organizations,
  user_id bigint not null,
  quota text not null,
  used integer not null,
  window_started_at timestamptz not null default now(),
  primary key (organization_id, user_id, quota),
  foreign key (organization_id, user_id) references users
);
