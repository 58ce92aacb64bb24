-- When people were last there. Nodes keep these times in memory and write them behind, in batches. The rows
-- of one batch have one `update_id`, which grows from batch to batch: other nodes and clients ask for what is
-- newer. It is the time of the batch in milliseconds, so that it also grows after a crash that lost the last
-- batches.
create table presences (
  organization_id bigint not null,
  user_id bigint not null,
  -- null: was never active, only connected
  last_active_at timestamptz,
  last_connected_at timestamptz not null,
  update_id bigint not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users
);
create index presences_update on presences (organization_id, update_id);

-- What people say that they are doing. Without a row, or with empty texts, somebody says nothing.
create table user_statuses (
  organization_id bigint not null,
  user_id bigint not null,
  status_text text not null,
  emoji_name text not null,
  emoji_code text not null,
  reaction_type text not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users
);
