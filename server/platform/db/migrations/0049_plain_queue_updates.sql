-- Each queue that moved is written once a second. With an index of the time, no such write could stay in its page.
-- The minute's look for idle queues reads all of them.
drop index event_queues_last_seen;
-- Rows are only added to these for long. A vacuum marks the pages that all transactions see, so that the newest
-- messages are counted by their index alone. By default it would come when a fifth of the table is new.
alter table messages set (autovacuum_vacuum_insert_scale_factor = 0.01);
do $$
declare
  partition regclass;
begin
  for partition in select inhrelid::regclass from pg_inherits where inhparent = 'events'::regclass loop
    execute format('alter table %s set (autovacuum_vacuum_insert_scale_factor = 0.01)', partition);
  end loop;
end $$;
