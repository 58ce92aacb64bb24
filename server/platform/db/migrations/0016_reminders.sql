-- A message of which somebody wants to be reminded. A job does that, and deletes the row in the same transaction.
create table reminders (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  user_id bigint not null,
  -- The message may be deleted before the reminder is due.
  message_id bigint not null,
  note text not null,
  -- What the list of reminders shows: it has nothing of the message's text.
  content text not null,
  rendered_content text not null,
  deliver_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users
);

create index reminders_of_user on reminders (organization_id, user_id, deliver_at);
