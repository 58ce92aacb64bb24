-- A row holds what one person missed in one piece of the log, in place of a row for each message. It lives for minutes
-- and is deleted with its person's other rows, so no foreign key is checked for it. The one index says who is due.
alter table missed_messages rename to former_missed_messages;
alter table former_missed_messages drop constraint missed_messages_pkey;
drop index missed_messages_due;
create table missed_messages (
  organization_id bigint not null,
  user_id bigint not null,
  -- The end of the piece. Of rows that became one: that of the first.
  position bigint not null,
  message_ids bigint[] not null,
  -- Since when each of them is news: its sending, or the edit that mentioned the person.
  news_since timestamptz[] not null,
  -- When the person is looked at: a while after the first of their messages.
  due_at timestamptz not null,
  -- The newest one. What waits for longer than a day goes.
  sent_at timestamptz not null,
  primary key (organization_id, user_id, position)
);
create index missed_messages_due on missed_messages (due_at);
insert into missed_messages (organization_id, user_id, position, message_ids, news_since, due_at, sent_at)
select organization_id, user_id, 0, array_agg(message_id order by message_id), array_agg(sent_at order by message_id),
  min(due_at), max(sent_at)
from former_missed_messages group by organization_id, user_id;
drop table former_missed_messages;
