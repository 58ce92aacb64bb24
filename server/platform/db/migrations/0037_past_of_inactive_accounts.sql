-- Accounts that are deactivated now were in their groups until now, as far as is known. Otherwise the mentions of before
-- would not count when they come back.
with upgrade as (
  insert into log_positions (organization_id, id, position)
  select organization_id, nextval('log_position_ids'), head + 1 from organization_logs
  returning organization_id, id
)
insert into group_intervals (organization_id, group_id, user_id, to_position_ref)
select u.organization_id, g.id, u.id, upgrade.id
from users u
join groups g on g.organization_id = u.organization_id and g.system_role = u.role
join upgrade on upgrade.organization_id = u.organization_id
where u.deactivated_at is not null and not u.is_system;
