-- What was changed by a role or a permission beyond one's own things. Rows are only added: nothing updates one.
create table audit_log (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  -- null: the server or its command line. It refers to no row, so that an entry locks none of users.
  actor_id bigint,
  action text not null,
  target_type text not null,
  target_id bigint,
  -- {"field": {"old": …, "new": …}}, with bounded texts and lists, and never with a secret.
  changes jsonb not null,
  -- Of the request: the client program, and the IPv4 address or the first 64 bits of the IPv6 address.
  client text,
  network text,
  primary key (organization_id, id)
);
