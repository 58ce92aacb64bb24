-- Browsers that are signed in. A session whose row is gone has ended. The token is in the browser's cookie alone.
create table sessions (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  user_id bigint not null,
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  -- Of the last minutes not all uses are written.
  last_used_at timestamptz not null default now(),
  -- Moves with each use that is written, up to the longest life of a session.
  expires_at timestamptz not null,
  -- The browser and the system, and the network of the last use, as the person is shown them.
  device text not null,
  network text not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users
);

create unique index sessions_token on sessions (organization_id, token_hash);
create index sessions_user on sessions (organization_id, user_id);
create index sessions_expiry on sessions (expires_at);
