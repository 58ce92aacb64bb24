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

-- A fragment may be longer than an entry of an index, so the index has a digest of it.
create table navigation_views (
  organization_id bigint not null,
  user_id bigint not null,
  id bigint generated always as identity,
  fragment text not null,
  is_pinned boolean not null,
  name text,
  primary key (organization_id, user_id, id),
  foreign key (organization_id, user_id) references users
);
create unique index navigation_views_fragment on navigation_views (organization_id, user_id, md5(fragment));

-- A draft is for a channel, for people, or for nobody yet.
create table drafts (
  organization_id bigint not null,
  user_id bigint not null,
  id bigint generated always as identity,
  channel_id bigint,
  user_ids bigint[],
  topic text not null,
  content text not null,
  edited_at timestamptz not null,
  primary key (organization_id, user_id, id),
  foreign key (organization_id, user_id) references users,
  check (channel_id is null or user_ids is null)
);

-- The hints for new people that a person has seen.
create table seen_onboarding_steps (
  organization_id bigint not null,
  user_id bigint not null,
  name text not null,
  seen_at timestamptz not null default now(),
  primary key (organization_id, user_id, name),
  foreign key (organization_id, user_id) references users
);
