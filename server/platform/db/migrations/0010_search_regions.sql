-- The follower of the log no longer indexes in order. After a flood it goes on with the newest messages, and
-- fills the gap behind them later. Three columns tell what the index has.
alter table search_cursors
  -- The log up to here is reflected, apart from the gaps. `position` is its copy for nodes of schema 6: they
  -- write rows without pairs of words, so this column tells which positions they took.
  add column followed_to bigint not null default 0,
  -- The gaps: messages at these positions are not in the index.
  add column gaps int8multirange not null default '{}',
  -- Messages at these positions are in the index without pairs of words. They are written again in time.
  add column without_pairs int8multirange not null default '{}',
  -- Words that no message has any more are looked for: after this word. null: nothing changed since.
  add column pruned_to text,
  -- Whether messages have changed since the vocabulary was last looked through from its beginning.
  add column prunes_again boolean not null default false;

update search_cursors set
  followed_to = position,
  without_pairs = case when position > 0 then int8multirange(int8range(0, position, '[]')) else '{}' end,
  pruned_to = '';

-- Messages whose row in the index has old words. Those of a small change are written again at once.
create table search_outdated (
  organization_id bigint not null references organizations,
  message_id bigint not null,
  primary key (organization_id, message_id)
);

-- A message that has the word. While it does, the word is kept without asking the index.
alter table search_vocabulary add column message_id bigint;
