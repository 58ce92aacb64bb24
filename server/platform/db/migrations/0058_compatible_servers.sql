-- The lowest schema that a server has to know to work beside a migration. Null: servers of before are not known
-- to, so it is the migration's own number.
alter table migrations add column compatible_from int;
