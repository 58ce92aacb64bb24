-- compatible from: 58
-- Copies of people's own data that they asked for themselves. A table of its own, so that no list of exports,
-- which administrators read, can ever have one. A server of before does not touch it.
create table own_data_copies (
  organization_id bigint not null references organizations (id),
  id bigint generated always as identity,
  user_id bigint not null,
  status text not null default 'pending' check (status in ('pending', 'done', 'failed', 'deleted')),
  requested_at timestamptz not null default now(),
  starts int not null default 0,
  run_id uuid,
  active_at timestamptz not null default now(),
  progress smallint not null default 0,
  failure_reason text,
  ended_at timestamptz,
  file_key text,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id)
);
create unique index own_data_copies_pending on own_data_copies (organization_id, user_id)
  where status = 'pending';
create index own_data_copies_of_user on own_data_copies (organization_id, user_id, id);
create index own_data_copies_with_file on own_data_copies (ended_at) where file_key is not null;
