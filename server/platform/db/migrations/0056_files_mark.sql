-- The id of this installation's files. The place of the files holds a copy of it, so that a file system which
-- is not mounted, or another installation's place, is not taken for an empty one.
create table files_mark (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid(),
  -- Whether the place has got its copy. Until then the first node that uses a place writes it.
  is_written boolean not null default false
);
