-- Deliveries of incoming webhooks that became messages in the last day, so that a repeated one is not posted
-- again. The digest is of what tells a delivery from others: the integration, the channel and topic in the
-- address, and the sender's own name of it.
create table incoming_deliveries (
  organization_id bigint not null,
  user_id bigint not null,
  digest bytea not null,
  received_at timestamptz not null default now(),
  primary key (organization_id, user_id, digest),
  foreign key (organization_id, user_id) references users
);
create index incoming_deliveries_age on incoming_deliveries (received_at);
