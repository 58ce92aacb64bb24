-- Pictures of other hosts that messages show, as the server keeps them. The digest is of the picture's address.
create table external_images (
  organization_id bigint not null references organizations,
  digest bytea not null,
  -- Part of the key in the file storage. A picture that is fetched again gets a new one.
  file_name text not null,
  size_bytes integer not null,
  fetched_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, digest)
);
create index external_images_age on external_images (fetched_at);

-- What linked pages say of themselves. One that could not be read has a row without texts, until it ends.
create table external_pages (
  organization_id bigint not null references organizations,
  digest bytea not null,
  title text,
  description text,
  image_url text,
  expires_at timestamptz not null,
  primary key (organization_id, digest)
);
create index external_pages_age on external_pages (expires_at);
