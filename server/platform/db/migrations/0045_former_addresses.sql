-- Addresses that people had a few days ago. Mails about how an account is entered go to them too: who has changed the
-- address may not be its person.
create table former_addresses (
  organization_id bigint not null references organizations(id),
  user_id bigint not null,
  address text not null,
  until timestamptz not null,
  primary key (organization_id, user_id, address),
  foreign key (organization_id, user_id) references users(organization_id, id)
);
create index former_addresses_until on former_addresses (until);
