-- What a person keeps for themselves. Nobody else reads it, so all rows of a person lie together.
create table saved_snippets (
  organization_id bigint not null,
  user_id bigint not null,
  id bigint generated always as identity,
  title text not null,
  content text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id, id),
  foreign key (organization_id, user_id) references users
);
