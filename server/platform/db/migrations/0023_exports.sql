-- Exports of an organization's data. The file lies in the file storage under `file_key`, while that is not null.
-- `run_id` identifies the run that works on a pending export: what an older run writes has no effect.
create table exports (
  organization_id bigint not null references organizations (id),
  id bigint generated always as identity,
  acting_user_id bigint not null,
  type smallint not null check (type in (1, 2)),
  status text not null default 'pending' check (status in ('pending', 'done', 'failed', 'deleted')),
  requested_at timestamptz not null default now(),
  -- How often a run has begun, and the last time that one reported progress.
  starts integer not null default 0,
  run_id uuid,
  active_at timestamptz not null default now(),
  progress smallint not null default 0,
  failure_reason text,
  -- When it was done, failed or was deleted.
  ended_at timestamptz,
  file_key text,
  primary key (organization_id, id),
  foreign key (organization_id, acting_user_id) references users (organization_id, id)
);

-- One pending export of an organization.
create unique index exports_pending on exports (organization_id) where status = 'pending';
-- What the clean-up looks for in all organizations.
create index exports_with_file on exports (ended_at) where file_key is not null;
