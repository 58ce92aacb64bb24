-- Who was directly in a group between two positions of the log. Only what has changed has rows: a member without a row
-- has been in the group since its beginning. No foreign key on the group, since the rows outlive a deleted one.
create table group_intervals (
  organization_id bigint not null,
  id bigint generated always as identity,
  group_id bigint not null,
  user_id bigint,
  subgroup_id bigint,
  -- null: since the beginning
  from_position_ref bigint,
  -- null: until now
  to_position_ref bigint,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users,
  check (num_nonnulls(user_id, subgroup_id) = 1)
);
create index group_intervals_of_user on group_intervals (organization_id, group_id, user_id) where user_id is not null;
create index group_intervals_of_subgroup on group_intervals (organization_id, group_id, subgroup_id)
  where subgroup_id is not null;

-- The waiting periods of new members that were in force before the present one, each up to a position of the log.
create table former_waiting_periods (
  organization_id bigint not null references organizations,
  to_position_ref bigint not null,
  days int not null,
  primary key (organization_id, to_position_ref)
);

-- By the index of `mentioned_group_ids`: the position at which the text mentioned the group. null: when it was sent.
alter table messages add column mentioned_group_positions bigint[];
