-- Who somebody is at a provider that people sign in with. An issuer gives a subject to one person for ever.
create table external_identities (
  organization_id bigint not null references organizations,
  issuer text not null,
  subject text not null,
  user_id bigint not null,
  -- The entry of the setting by which it was last used, for people who look into the table.
  provider_id text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (organization_id, issuer, subject),
  foreign key (organization_id, user_id) references users
);

create index external_identities_user on external_identities (organization_id, user_id);

-- Sign-ins that need one more step, and those that are done. Each token works once and for minutes.
create table sign_in_steps (
  organization_id bigint not null references organizations,
  token_hash bytea not null,
  -- null: the sign-in is done, and must not be done again.
  encrypted_data bytea,
  expires_at timestamptz not null,
  primary key (organization_id, token_hash)
);

create index sign_in_steps_expiry on sign_in_steps (expires_at);
