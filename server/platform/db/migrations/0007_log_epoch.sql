-- The epoch of a log changes when the database was restored to an earlier state. Positions after that point
-- are given out a second time, so what was known of them no longer counts.
alter table organization_logs add column epoch uuid not null default gen_random_uuid();

-- The database cluster and the timeline on which the log was last written. Another value means that the
-- database was restored, or that another server took over, perhaps without the last commits.
create table log_timeline (
  is_only boolean primary key default true check (is_only),
  timeline text not null,
  -- The place of the embedded database's files; null for an outside database.
  place text
);

-- Ends a transaction whose checks no longer hold. The commit is sent together with the last statement, so a
-- result that tells it would come too late.
create function stale_memory() returns bigint language plpgsql as $$
begin
  raise exception 'the memory that was checked has changed' using errcode = 'PA001';
end
$$;
