-- Attempts to sign in are counted for an account in a network, for a network, and for an account.
drop table sign_in_failures;
create table sign_in_attempts (
  organization_id bigint not null references organizations,
  subject text not null,
  attempts integer not null,
  window_started_at timestamptz not null,
  blocked_until timestamptz,
  primary key (organization_id, subject)
);

-- The networks from which people have signed in, as keyed hashes.
create table sign_in_networks (
  organization_id bigint not null references organizations,
  user_id bigint not null,
  network_hash bytea not null,
  last_used_at timestamptz not null default now(),
  primary key (organization_id, user_id, network_hash),
  foreign key (organization_id, user_id) references users
);
