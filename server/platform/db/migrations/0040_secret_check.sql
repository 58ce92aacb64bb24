-- A value that is derived from the secret under which the rows of this database are encrypted and hashed. A
-- server or a command with another secret must not write here: then neither secret would fit all rows.
create table secret_check (
  is_only boolean primary key default true check (is_only),
  value bytea not null
);
