-- An invitation to an organization. Its row is deleted when it is revoked, or when its one person has joined.
-- One with an address is for one person. One without is a link for many people. One with a parent has been sent
-- to an address that somebody gave who had the parent's link, and ends with it.
create table invitations (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  inviter_id bigint not null,
  parent_id bigint,
  email text,
  token_hash bytea not null,
  -- Of a link for many people alone, since it is shown again.
  encrypted_token bytea,
  role smallint not null,
  channel_ids bigint[] not null,
  group_ids bigint[] not null,
  joins_default_channels boolean not null,
  notifies_inviter boolean not null,
  -- null: the organization's own text.
  welcome_text text,
  -- Made on the command line: the permissions of the inviter do not count.
  is_by_operator boolean not null,
  invited_at timestamptz not null default clock_timestamp(),
  -- null: never.
  expires_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, inviter_id) references users,
  foreign key (organization_id, parent_id) references invitations on delete cascade,
  check (email is not null or encrypted_token is not null)
);

create unique index invitations_token on invitations (organization_id, token_hash);
-- Who invites an address again replaces the invitation.
create unique index invitations_of_address on invitations
  (organization_id, inviter_id, coalesce(parent_id, 0), lower(email)) where email is not null;
create index invitations_parent on invitations (organization_id, parent_id) where parent_id is not null;

-- What an organization has used of its invitations today: addresses, and people who joined by a link.
create table invitation_days (
  organization_id bigint primary key references organizations,
  day date not null,
  used integer not null
);

-- Mail that is to be sent, until it is. Links in it work like passwords, so it is encrypted as a whole.
create table mails (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  encrypted bytea not null,
  queued_at timestamptz not null default clock_timestamp(),
  -- A development server keeps mail instead of sending it.
  kept_at timestamptz,
  primary key (organization_id, id)
);
create index mails_queued on mails (queued_at);
