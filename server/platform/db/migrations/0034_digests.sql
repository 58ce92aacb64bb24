-- When a person's weekly digest was last decided on, whether or not there was anything to say. It is the day where the
-- person is. The row is written with the mail, so nobody gets two in a week.
create table digests (
  organization_id bigint not null references organizations,
  user_id bigint not null,
  last_day date not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users
);
