-- How many mails of one kind an address got in a day because somebody asked for them, who need not be its owner.
-- The address is hashed: most have no account here.
create table asked_mails (
  organization_id bigint not null references organizations,
  kind text not null,
  address_hash bytea not null,
  mails integer not null,
  day_began_at timestamptz not null,
  last_at timestamptz not null,
  primary key (organization_id, kind, address_hash)
);
create index asked_mails_last on asked_mails (last_at);
