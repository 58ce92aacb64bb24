-- How a session began: with a provider's sign-in, the provider answers for second steps.
alter table sessions
  add column signed_in_by text not null default 'password'
    check (signed_in_by in ('password', 'second step', 'passkey', 'provider')),
  -- When the person last showed who they are, in this session.
  add column proved_at timestamptz not null default now();

-- The secret of a person's authenticator app, encrypted.
create table totp_secrets (
  organization_id bigint not null references organizations,
  user_id bigint not null,
  secret bytea not null,
  created_at timestamptz not null default now(),
  -- null: the person has not shown yet that the app has it.
  confirmed_at timestamptz,
  -- The last time step whose code was used. Neither it nor an earlier one counts again.
  last_step bigint not null default 0,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users
);

-- Keyed hashes of the codes for people who have lost their second step. A row goes when its code is used.
create table recovery_codes (
  organization_id bigint not null references organizations,
  user_id bigint not null,
  code_hash bytea not null,
  primary key (organization_id, user_id, code_hash),
  foreign key (organization_id, user_id) references users
);

create table passkeys (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  user_id bigint not null,
  credential_id text not null,
  public_key bytea not null,
  -- The authenticator counts its uses; 0 for one that does not.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users
);

create unique index passkeys_credential on passkeys (organization_id, credential_id);
create index passkeys_user on passkeys (organization_id, user_id);

-- What authenticators are to sign. A row goes when it is answered.
create table passkey_challenges (
  organization_id bigint not null references organizations,
  challenge text not null,
  purpose text not null check (purpose in ('registration', 'sign-in')),
  -- The keyed hash of what the browser shows again: its cookie, or what it is signed in with.
  browser_hash bytea not null,
  expires_at timestamptz not null,
  primary key (organization_id, challenge)
);

create index passkey_challenges_browser on passkey_challenges (organization_id, browser_hash);
create index passkey_challenges_expiry on passkey_challenges (expires_at);

-- Sign-ins on the page whose password was right, and which wait for a second step.
create table pending_sign_ins (
  organization_id bigint not null references organizations,
  -- The keyed hash of the token in the browser's cookie.
  token_hash bytea not null,
  user_id bigint not null,
  -- The password that was right. With another one the sign-in ends.
  password_hash text not null,
  expires_at timestamptz not null,
  primary key (organization_id, token_hash),
  foreign key (organization_id, user_id) references users
);

create index pending_sign_ins_user on pending_sign_ins (organization_id, user_id);
create index pending_sign_ins_expiry on pending_sign_ins (expires_at);
