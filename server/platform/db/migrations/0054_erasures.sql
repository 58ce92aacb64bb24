-- The erasure of a person. The account stays, so that messages have a sender.
alter table users add column erased_at timestamptz;

create table erasures (
  organization_id bigint not null references organizations (id),
  user_id bigint not null,
  -- Whether the person's messages stay under the neutral name.
  keeps_messages boolean not null,
  -- The name and the addresses of before, which the job looks for. It is null once the job has ended.
  encrypted bytea,
  -- Messages up to this one have been looked at.
  message_id bigint not null default 0,
  asked_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id)
);
