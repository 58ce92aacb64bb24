-- Names in data follow the names in the code. A place in the log that a row refers to is a position ref.
alter table log_marks rename to log_positions;
alter table log_positions rename constraint log_marks_pkey to log_positions_pkey;
alter sequence log_mark_ids rename to log_position_ids;
alter table subscriptions rename column from_mark to from_position_ref;
alter table subscriptions rename column to_mark to to_position_ref;

-- The names of projections in a patch, and of audiences, are written in one style.
update events e set state = (
  select jsonb_object_agg(coalesce(renamed.after, patch.key), patch.value)
  from jsonb_each(e.state) patch
  left join (values
    ('alertWords', 'alert_words'), ('mutedUsers', 'muted_users'), ('channelHistories', 'channel_histories'),
    ('mutedChannels', 'muted_channels'), ('topicPolicies', 'user_topics'), ('begunTopics', 'known_topics')
  ) as renamed (before, after) on renamed.before = patch.key)
where e.state ?| array['alertWords', 'mutedUsers', 'channelHistories', 'mutedChannels', 'topicPolicies', 'begunTopics'];

update events e set audience = jsonb_set(e.audience, '{to}', to_jsonb(renamed.after))
from (values
  ('channel-visible', 'channel_visible'), ('channel-people', 'channel_people'), ('channel-peers', 'channel_peers'),
  ('non-guests', 'non_guests'), ('channel-message', 'channel_message'), ('channel-readers', 'channel_readers'),
  ('onlookers', 'all_public_listeners')
) as renamed (before, after)
where e.audience ->> 'to' = renamed.before;

-- Jobs that wait under an old name. The library makes its tables when a server starts, so they may not be
-- there yet.
do $$
begin
  if to_regclass('graphile_worker._private_tasks') is null then return; end if;
  update graphile_worker._private_tasks t set identifier = renamed.after
  from (values
    ('tell_channel_history_changes', 'announce_channel_history_changes'),
    ('tell_new_full_members', 'announce_new_full_members')
  ) as renamed (before, after)
  where t.identifier = renamed.before
    and not exists (select from graphile_worker._private_tasks other where other.identifier = renamed.after);
end
$$;
