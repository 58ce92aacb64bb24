-- A file that somebody uploaded. The file itself lies in the file storage under its key.
create table uploads (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  owner_id bigint not null,
  -- What addresses name it by. It is compared as a whole and leads nowhere on a disk.
  path text not null,
  storage_key text not null,
  -- For people.
  file_name text not null,
  content_type text not null,
  size bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  -- What is known of a picture that can be shown; null for every other file.
  image jsonb,
  -- Since when no message links it; null while one does.
  unlinked_since timestamptz default clock_timestamp(),
  primary key (organization_id, id),
  foreign key (organization_id, owner_id) references users
);

create unique index uploads_path on uploads (organization_id, path);
create index uploads_of_owner on uploads (organization_id, owner_id, id);
create index uploads_unlinked on uploads (unlinked_since) where unlinked_since is not null;

-- Which message links which file. Only links that counted when the message was sent or edited have a row.
create table message_uploads (
  organization_id bigint not null,
  upload_id bigint not null,
  message_id bigint not null,
  sent_at timestamptz not null,
  primary key (organization_id, upload_id, message_id),
  foreign key (organization_id, upload_id) references uploads on delete cascade
);

create index message_uploads_of_message on message_uploads (organization_id, message_id);

-- The bytes of all uploads of an organization.
create table upload_space (
  organization_id bigint primary key references organizations,
  used bigint not null
);

-- Files in the storage that no row needs from a time on. A row is here before its file is stored, and again when
-- the file is no longer needed, so a crash leaves nothing behind that nobody knows of.
create table files_to_delete (
  organization_id bigint not null references organizations,
  key text not null,
  due_at timestamptz not null,
  primary key (organization_id, key)
);

create index files_to_delete_due on files_to_delete (due_at);

-- A file that arrives in several requests. What has arrived of it is a file beside the storage, of the name `id`.
create table partial_uploads (
  organization_id bigint not null references organizations,
  -- In the address. Nobody can guess it, and only the owner can use it.
  id text not null,
  owner_id bigint not null,
  file_name text not null,
  -- The bytes of the whole file.
  length bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Which request writes the file, and until when others wait for it at the most.
  writer text,
  writer_until timestamptz,
  -- The upload that it has become; null until the whole file is there.
  upload_path text,
  primary key (organization_id, id),
  foreign key (organization_id, owner_id) references users
);

create index partial_uploads_of_owner on partial_uploads (organization_id, owner_id) where upload_path is null;
create index partial_uploads_created on partial_uploads (created_at);
