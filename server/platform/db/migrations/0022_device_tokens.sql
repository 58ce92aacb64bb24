-- The tokens by which push services reach people's devices. Several accounts may have the token of one device.
-- A token may be longer than an entry of an index, so the index has a digest of it.
create table device_tokens (
  organization_id bigint not null,
  user_id bigint not null,
  id bigint generated always as identity,
  kind text not null check (kind in ('apns', 'fcm')),
  token text not null,
  -- The app of an Apple device.
  app_id text,
  added_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, user_id, id),
  foreign key (organization_id, user_id) references users
);
create unique index device_tokens_token on device_tokens (organization_id, user_id, kind, md5(token));
