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

-- Links in mail that work once: for another password, for another address of one's own, and to join. A row goes when
-- its link is used or has expired.
create table mailed_codes (
  organization_id bigint not null references organizations,
  token_hash bytea not null,
  purpose text not null check (purpose in ('password', 'email', 'sign-up')),
  -- null: nobody has an account yet.
  user_id bigint,
  -- The address that the mail went to.
  email text not null,
  -- For another password: the hash of the one at that time. With another one the link does not work.
  password_hash text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (organization_id, token_hash),
  foreign key (organization_id, user_id) references users,
  check ((user_id is null) = (purpose = 'sign-up'))
);

create index mailed_codes_address on mailed_codes (organization_id, lower(email), purpose);
create index mailed_codes_user on mailed_codes (organization_id, user_id) where user_id is not null;
create index mailed_codes_expiry on mailed_codes (expires_at);
